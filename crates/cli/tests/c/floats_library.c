// expect: safe
extern void reach_error(void);
extern double fabs(double), sqrt(double), floor(double), ceil(double), trunc(double), round(double);
extern double fmin(double, double), fmax(double, double), copysign(double, double);
extern float sqrtf(float), floorf(float);
extern int __isnan(double), __isinff(float), __finite(double), __signbit(double), __fpclassify(double);
static void check(int condition) { if (!condition) reach_error(); }
int main(void) {
    double nan = __builtin_nan(""), inf = __builtin_inf(), zero = 0;
    check(fabs(-2.5) == 2.5 && 1 / fabs(-zero) == inf && fabs(-inf) == inf);
    check(sqrt(2) == 1.4142135623730951 && sqrtf(2) == 1.41421354f && sqrt(0.25) == 0.5);
    check(1 / sqrt(-zero) == -inf && sqrt(inf) == inf && __isnan(sqrt(-1)));
    check(floor(-0.5) == -1 && floor(2.5) == 2 && floorf(-3) == -3 && ceil(0.5) == 1 && ceil(-1.5) == -1);
    check(trunc(-1.75) == -1 && 1 / trunc(-0.5) == -inf && floor(1e300) == 1e300);
    check(round(2.5) == 3 && round(-2.5) == -3 && round(0.49999999999999994) == 0 && round(1e20) == 1e20);
    check(fmin(1, 2) == 1 && fmax(1, 2) == 2 && fmin(nan, 2) == 2 && fmax(1, nan) == 1);
    check(copysign(3, -0.0) == -3 && copysign(-3, 1) == 3);
    check(__builtin_isnan(nan) && !__builtin_isnan(1.0f) && __isinff(-1.0f / 0.0f) == -1);
    check(__builtin_isinf_sign(inf) == 1 && !__builtin_isinf(1.0) && __finite(1) && !__finite(nan));
    check(__builtin_signbit(-zero) && !__signbit(1) && __builtin_isnormal(1.0) && !__builtin_isnormal(1e-310));
    check(__builtin_isnormal(1e-37f) && !__builtin_isnormal(1e-39f));
    check(__fpclassify(nan) == 0 && __fpclassify(inf) == 1 && __fpclassify(zero) == 2);
    check(__fpclassify(1e-310) == 3 && __fpclassify(1) == 4);
    check(__builtin_fpclassify(10, 11, 12, 13, 14, 1e-39f) == 13 && __builtin_fpclassify(10, 11, 12, 13, 14, 1e-39) == 12);
    check(__builtin_isless(1, 2.0) && !__builtin_isless(nan, 2.0) && __builtin_isunordered(nan, 2.0));
    check(__builtin_islessgreater(1.0, 2.0) && __builtin_isgreaterequal(2.0, 2.0) && !__builtin_isgreater(2.0, nan));
    check(__builtin_huge_valf() > 3e38f && __builtin_fabsf(-0.1f) == 0.1f && __builtin_sqrtf(2) == 1.41421354f);
    return 0;
}
