// expect: safe
// Distances and masks that are not constant, although something is known about them.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x != 3 || y != 14) return 0;
    unsigned by = (y & 3) + 1;
    if (x << (y & 3) != 12 || 96 >> (y & 3) != 24 || x << by != 24 || 96u >> by != 12) reach_error();
    if ((x & (y & 7)) != 2 || (x & by) != 3 || (x | by) != 3 || (x ^ (y & 7)) != 5 || (13 & (by + 4)) != 5) reach_error();
    return 0;
}
