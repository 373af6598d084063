// expect: unknown: unsupported: floating point is not modelled at 7:
// The bits of a floating number are not known.
extern void reach_error(void);
union { float f; unsigned u; } x;
int main(void) {
    x.u = 0;
    x.f = 1.0f;
    if (x.u == 0) reach_error();
    return 0;
}
