// expect: unknown: unsupported: an index outside of its array at 7:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int n = 1, a[n][100000];
    a[5][0] = 1;
    if (a[5][0] != 1) reach_error();
    return 0;
}
