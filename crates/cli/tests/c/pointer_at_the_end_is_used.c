// expect: unknown: unsupported: a pointer that has left what it points to at 10:
// The end of an array is an address that may be computed but not used.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[2];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2) return 0;
    int *p = a + i;
    *p = 5;
    if (a[0] > 5) reach_error();
    return 0;
}
