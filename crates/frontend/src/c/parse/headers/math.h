#ifndef LAPIDARY_MATH
#define LAPIDARY_MATH
typedef float float_t;
typedef double double_t;
#define LAPIDARY_OF_ONE(name) extern double name(double); extern float name##f(float); extern long double name##l(long double);
#define LAPIDARY_OF_TWO(name) \
    extern double name(double, double); extern float name##f(float, float); \
    extern long double name##l(long double, long double);
LAPIDARY_OF_ONE(fabs) LAPIDARY_OF_ONE(sqrt) LAPIDARY_OF_ONE(cbrt)
LAPIDARY_OF_ONE(floor) LAPIDARY_OF_ONE(ceil) LAPIDARY_OF_ONE(round) LAPIDARY_OF_ONE(trunc) LAPIDARY_OF_ONE(rint)
LAPIDARY_OF_ONE(nearbyint) LAPIDARY_OF_ONE(sin) LAPIDARY_OF_ONE(cos) LAPIDARY_OF_ONE(tan) LAPIDARY_OF_ONE(asin)
LAPIDARY_OF_ONE(acos) LAPIDARY_OF_ONE(atan) LAPIDARY_OF_ONE(sinh) LAPIDARY_OF_ONE(cosh) LAPIDARY_OF_ONE(tanh)
LAPIDARY_OF_ONE(asinh) LAPIDARY_OF_ONE(acosh) LAPIDARY_OF_ONE(atanh) LAPIDARY_OF_ONE(exp) LAPIDARY_OF_ONE(exp2)
LAPIDARY_OF_ONE(expm1) LAPIDARY_OF_ONE(log) LAPIDARY_OF_ONE(log2) LAPIDARY_OF_ONE(log10) LAPIDARY_OF_ONE(log1p)
LAPIDARY_OF_ONE(logb) LAPIDARY_OF_ONE(erf) LAPIDARY_OF_ONE(erfc) LAPIDARY_OF_ONE(lgamma) LAPIDARY_OF_ONE(tgamma)
LAPIDARY_OF_TWO(pow) LAPIDARY_OF_TWO(fmod) LAPIDARY_OF_TWO(remainder) LAPIDARY_OF_TWO(hypot) LAPIDARY_OF_TWO(atan2)
LAPIDARY_OF_TWO(fmin) LAPIDARY_OF_TWO(fmax) LAPIDARY_OF_TWO(fdim) LAPIDARY_OF_TWO(copysign) LAPIDARY_OF_TWO(nextafter)
extern double fma(double, double, double), ldexp(double, int), scalbn(double, int), nan(const char *);
extern float fmaf(float, float, float), ldexpf(float, int), scalbnf(float, int), nanf(const char *);
extern double frexp(double, int *), modf(double, double *);
extern float frexpf(float, int *), modff(float, float *);
extern long lrint(double), lrintf(float), lround(double), lroundf(float);
extern long long llrint(double), llrintf(float), llround(double), llroundf(float);
extern int ilogb(double), ilogbf(float);
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
