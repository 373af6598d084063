#ifndef LAPIDARY_MATH
#define LAPIDARY_MATH
extern double fabs(double), sqrt(double), floor(double), ceil(double), round(double), trunc(double);
extern double sin(double), cos(double), tan(double), exp(double), log(double), log10(double);
extern double pow(double, double), fmod(double, double), fmin(double, double), fmax(double, double);
extern float fabsf(float), sqrtf(float), floorf(float), ceilf(float);
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#endif
