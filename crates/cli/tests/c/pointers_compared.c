// expect: safe
// Outcomes that do not depend on where objects are.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int x, y[3]; } s;
int a[4], b[4];
int sum(int *from, int n) {
    int all = 0;
    for (int *p = from; p != from + n; p++) all += *p;
    for (int *p = from; p < from + n; p++) all += *p;
    if ((from + n) - from != n) reach_error();
    return all;
}
int main(void) {
    if (a == b || &a[1] == &b[0] || &s.x == a) reach_error();
    if (&s.x > &s.y[0] || &s.x + 1 != &s.y[0]) reach_error();
    if (&a[3] - &a[1] != 2 || a + 4 <= a) reach_error();
    int *p = __VERIFIER_nondet_int() ? &a[2] : b;
    if (p == a) reach_error();
    if (p == &a[2] && p == b) reach_error();
    if (sum(a, 2) != 0 || sum(b, 3) != 0) reach_error();
    const char *t = "ab", *u = t;
    if (t != u || t + 1 == t) reach_error();
    return 0;
}
