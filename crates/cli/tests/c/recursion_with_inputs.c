// expect: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) {
    if (n <= 0) return 0;
    int x = __VERIFIER_nondet_int();
    int r = f(n - 1);
    if (x == 7 && r == 12) reach_error();
    return r > 0 ? 0 : x;
}
int main(void) { return f(4); }
