// expect: unknown: unsupported: an index outside of its array at 9:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// There is no first element, also for a pointer to it.
int main(void) {
    int n = 0, a[n];
    int *p = a;
    *p = 5;
    if (*p != 5) reach_error();
    return 0;
}
