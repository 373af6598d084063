// expect: unknown: unsupported: the bits of a NaN that was computed
// Which sign a NaN has that was computed is not known.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x != 0.0f) return 0;
    float y = x / x;
    if (__builtin_signbit(y)) reach_error();
    return 0;
}
