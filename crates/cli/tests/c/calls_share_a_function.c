// expect: safe
/* One function, called from several places and by a pointer, returns to where it was called. */
extern void reach_error(void);
int n;
static int next(int step) { n += step; return n; }
static int twice(int (*f)(int), int step) { return f(step) + f(step); }
int main(void) {
  int a = next(1);
  int b = twice(next, 2);
  int c = next(10);
  if (a != 1 || b != 8 || c != 15 || n != 15) reach_error();
  return 0;
}
