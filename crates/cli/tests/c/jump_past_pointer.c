// expect: unknown: unsupported: a pointer whose target is not known at 13:
/* A jump into the scope of a pointer, past its declaration: nobody knows where it points. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x, y;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n) goto inside;
  {
    int *p;
    p = &x;
  inside:
    *p = 5;
  }
  if (x != 5) reach_error();
  return 0;
}
