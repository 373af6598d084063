// expect: unknown: unsupported: an array of variable length with more than 16 MB at 8:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 5000000 || n > 6000000) return 0;
    int a[n];
    a[0] = 1;
    reach_error();
}
