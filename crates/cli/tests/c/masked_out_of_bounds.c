// expect: unknown: unsupported: an index outside of its array at
// The bits in common with a number that is at least five may be more than five.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int a[6] = {0};
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (y < 5 || y > 7) return 0;
    if (a[x & y] == 1) reach_error();
    return 0;
}
