// expect: safe
// domain: default
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int x) {
    if (x > 100) return x - 10;
    return f(f(x + 11));
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int r = f(x);
    if (r != 91 && !(x > 101 && r == x - 10)) reach_error();
    return 0;
}
