// expect: unknown: unsupported: an index outside of its array at 7:
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10) return 0;
    int a[n]; a[n] = 0;
    if (a[n]) reach_error();
    return 0;
}
