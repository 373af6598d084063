// expect: unknown: unsupported: an index outside of its array at 8:
// The rest of a negative number is negative.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[8];
int main(void) {
    int x = __VERIFIER_nondet_int();
    a[x % 8] = 1;
    if (a[0] > 1) reach_error();
    return 0;
}
