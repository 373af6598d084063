// expect: unknown: unsupported: an address in a union may be read as a number
// What is stored in the union may be an address, or null.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
union { int *p; long n; } u;
int main(void) {
    int *q = __VERIFIER_nondet_int() ? &x : 0;
    u.p = q;
    if (u.n == 1234) reach_error();
    return 0;
}
