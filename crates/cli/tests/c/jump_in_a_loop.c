// expect: unsafe
/* Each jump into a block begins a new life of its variables. */
extern void reach_error(void);
int main(void) {
  int i = 0, x = 5;
  while (i < 2) {
    if (i == 1) goto inside;
    {
      int p;
      p = 5;
    inside:
      x = p;
    }
    i++;
  }
  if (x != 5) reach_error();
  return 0;
}
