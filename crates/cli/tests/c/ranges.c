// expect: safe
// Ranges say where numbers do not wrap around, and must not say so where they do.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void check(int c) { if (!c) reach_error(); }
int table[8];
int main(void) {
  unsigned char c = 250;
  int rounds = 0;
  while (c >= 250) { c++; rounds++; }
  check(c == 0 && rounds == 6);
  unsigned u = 2;
  while (u < 10) u -= 1;
  check(u == 4294967295u);
  int x = 2147483646, n = 0;
  do { x++; n++; } while (x > 0);
  check(x == -2147483647 - 1 && n == 2);
  short s = 32767;
  s += 1;
  check(s == -32768);
  int y = __VERIFIER_nondet_int();
  if (y > 5 && !(y > 8)) { check(table[y - 1] == 0 || table[y - 1] != 0); check(y * 1000 <= 8000); }
  if (y == 2147483647) { int z = y; z = z + 1; check(z < y); }
  int *p = &x;
  *p = 2147483647;
  check(x + 1 < 0);
  long long wide = x;
  check(wide + 1 == 2147483648LL);
  for (int i = 3; i >= 0; i--) table[i] = i;
  check((unsigned char) (c - 1) == 255);
  return 0;
}
