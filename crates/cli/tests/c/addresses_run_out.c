// expect: unknown: unsupported: more memory than there are addresses at 6:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
char a[3000000000u], b[3000000000u];
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (&a[n] == &b[0]) reach_error();
    return 0;
}
