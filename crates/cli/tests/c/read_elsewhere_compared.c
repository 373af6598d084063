// expect: unknown: unsupported: a pointer whose target is not known at 8:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern int *f(void);
int main(void) {
    int *p = f();
    if (*p <= 5) {
        if (6 <= *p) reach_error();
    }
    return 0;
}
