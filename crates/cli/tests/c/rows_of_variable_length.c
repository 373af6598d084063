// expect: unknown: unsupported: an array of arrays of variable length at 6:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int n = 3, a[2][n];
    if (&a[0] != &a[1]) reach_error();
    return 0;
}
