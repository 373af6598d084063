// expect: unknown: unsupported: a pointer whose target is not known at 9:
// A null pointer that is moved is no longer null, and points to nothing that is known.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);
char g = 1;
int main(void) {
    char *n = 0;
    char *q = n + __VERIFIER_nondet_long();
    if (q) *q = 4;
    if (g == 4) reach_error();
    return 0;
}
