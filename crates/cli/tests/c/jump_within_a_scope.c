// expect: safe
/* A jump within the scope of a variable changes nothing of it. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 5;
  if (__VERIFIER_nondet_int()) goto end;
  {
    int y = x;
    for (int i = 0; i < 3; i++) {
      if (i == 2) goto next;
      y++;
    next:;
    }
    if (y != 7) reach_error();
  }
end:
  if (x != 5) reach_error();
  return 0;
}
