// expect: unknown: unsupported: the end of an object is compared with another object at 10:
// Here the address that may be an end is on the right.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[2], b;
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2) return 0;
    int *p = a + i;
    if (&b == p) reach_error();
    return 0;
}
