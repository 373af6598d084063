// expect: safe
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 20) return 0;
    int *a = malloc(n * sizeof *a);
    for (unsigned i = 0; i < n; i++) a[i] = 0;
    if (n > 3 && a[2] != 0) reach_error();
    return 0;
}
