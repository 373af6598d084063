// expect: unknown: unsupported: a null pointer is dereferenced at 6:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = 0;
    if (__VERIFIER_nondet_int() == 3) *p = 1;
    return 0;
    reach_error();
}
