// expect: unknown: unsupported: an index outside of its array at
// What such an access does is not defined, so an execution with one shows nothing.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[2], i = __VERIFIER_nondet_int();
    a[0] = a[1] = 0;
    if (i > 5 && a[i] == 7) reach_error();
    return 0;
}
