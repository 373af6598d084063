// expect: unknown: unsupported: a pointer whose target is not known at 9:
// A pointer without a value may point anywhere, even if it gets a value elsewhere.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 0;
    int *p;
    if (__VERIFIER_nondet_int()) p = &x;
    *p = 0;
    if (x) reach_error();
    return 0;
}
