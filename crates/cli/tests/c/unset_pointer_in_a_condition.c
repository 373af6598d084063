// expect: unsafe
// A pointer without a value may be greater than any address.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x, y;
int main(void) {
    int *p;
    if (__VERIFIER_nondet_int()) p = &x;
    if (p > &y) reach_error();
    return 0;
}
