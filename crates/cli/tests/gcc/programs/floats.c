// Floating numbers that the program is given by their bits.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    float f = __VERIFIER_nondet_float(), g = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (f == 0.1f && g != g && 1 / d < 0 && d == 0) reach_error();
    return 0;
}
