// expect: safe
extern void reach_error(void);
static void check(int condition) { if (!condition) reach_error(); }
double global = 0.1, zero;
float few[3] = { 1.5f, 2 };
struct { int i; double d; float f[2]; } s = { 1, 2.5, { 3.5f } };
static float third(float x) { return x / 3; }
static double promoted(double x) { return x; }
static int truncated(double x) { return x; }
int main(void) {
    // Rounding: to the nearest number, to the even one of two, in the type of the operation.
    check(global + 0.2 == 0.30000000000000004 && global + 0.2 != 0.3);
    check(0.1f + 0.2f == 0.3f && 0.1f != 0.1);
    check(16777216.0f + 1.0f == 16777216.0f && 16777216.0f + 3.0f == 16777220.0f);
    int large = 16777217;
    check((float) large == 16777216.0f && (double) large == 16777217.0);
    check((float) 0x7fffff7f == 2147483520.0f && (float) 0x7fffffc0 == 2147483648.0f);
    check((float) 18446744073709551615ull == 18446744073709551616.0f);
    check((float) 1.0000000596046450 == 1.0000001f && (float) 1.0000000596046448 == 1.0f);
    check(third(1) == 0.333333343f && third(1) * 3 == 1);
    // Infinity, NaN, and zeros with a sign.
    double infinity = 1 / zero, nan = infinity - infinity;
    check(infinity > 1.7976931348623157e308 && -infinity < -1.7976931348623157e308);
    check(1.7976931348623157e308 * 10 == infinity && 1 / infinity == 0);
    check(nan != nan && !(nan == nan) && !(nan < 1) && !(nan > 1) && !(nan <= nan));
    check(-zero == zero && 1 / -zero == -infinity && !-zero);
    if (nan) ; else reach_error();
    // The smallest numbers.
    float least = 1.4e-45f;
    check(least > 0 && least / 2 == 0 && least * 0.75f == least && 2 * least - least == least);
    check(1.17549435e-38f / 2 * 2 == 1.17549435e-38f);
    check((float) 1e-60 == 0 && (float) 1e300 > 3.4028234663852886e38f);
    // Conversions to integers go toward zero.
    check((int) 2.9 == 2 && (int) -2.9 == -2 && (unsigned char) 255.9f == 255 && truncated(-0.5) == 0);
    check((long long) 9007199254740993.0 == 9007199254740992ll && (unsigned) 4294967295.5 == 4294967295u);
    check((_Bool) 0.25f == 1 && (_Bool) -0.0 == 0);
    int i = 7;
    i *= 1.5;
    check(i == 10);
    i += 0.9f;
    check(i == 10);
    // Assignments, steps, members, elements, pointers.
    float f = 0.5f;
    f += 1;
    check(f++ == 1.5f && f == 2.5f && --f == 1.5f);
    f *= f;
    check(f == 2.25f && few[0] == 1.5f && few[1] == 2 && few[2] == 0);
    double *p = &s.d;
    *p /= 2;
    check(s.d == 1.25 && s.i == 1 && s.f[0] == 3.5f && s.f[1] == 0);
    for (i = 0; i < 3; i++) few[i] = promoted(i) / 2;
    check(few[0] + few[1] + few[2] == 1.5f);
    unsigned bits = *(unsigned *) &f;
    check(bits == 0x40100000);
    *(unsigned *) &f = 0xc0000000;
    check(f == -2);
    // What else is written: hexadecimal numbers, choices, comparisons as numbers.
    check(0x1.8p1 == 3 && 0x.1p4f == 1 && 1e2f == 100 && .5 == 5e-1);
    check((f < 0 ? 1.5 : 2) == 1.5 && (i ? 1 : 2.5) == 1 && (f < 0) + (f > 0) == 1);
    check(1.0L == 1 || 1);
    return 0;
}
