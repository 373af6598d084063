// expect: unknown: unsupported: an array of negative length at 6:
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[n];
    a[0] = 0;
    if (a[0]) reach_error();
    return 0;
}
