// expect: safe
// The bits of 1.0f are those of another number.
extern void reach_error(void);
union { float f; unsigned u; } x;
int main(void) {
    x.u = 0;
    x.f = 1.0f;
    if (x.u == 0) reach_error();
    return 0;
}
