// expect: unsafe
// The greatest values of shifts and of bits in common are reached.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (y < 1 || y > 3) return 0;
    if (1 << y == 8 && 64 >> y == 8 && (x & y) == 3 && (x | y) == 7 && (x ^ y) == 4) reach_error();
    return 0;
}
