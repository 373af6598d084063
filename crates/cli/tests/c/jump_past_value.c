// expect: unsafe
/* A jump past a declaration: the variable has any value, also where an earlier call gave it one. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
void f(int n) {
  if (n) goto inside;
  {
    int p;
    p = 5;
  inside:
    x = p;
  }
}
int main(void) {
  f(0);
  f(1);
  if (x != 5) reach_error();
  return 0;
}
