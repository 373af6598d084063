// expect: unsafe
/* The declarations before the first label of a `switch` are never executed. */
extern void reach_error(void);
int x;
void f(int n) {
  switch (n) {
    int v = 1;
  case 0:
    v = 5;
  default:
    x = v;
  }
}
int main(void) {
  f(0);
  f(1);
  if (x != 5) reach_error();
  return 0;
}
