// expect: unknown: unsupported: the bits of a NaN that was computed at 7:
// Here the sign is that of positive numbers, on most machines it is the other one.
extern void reach_error(void);
union { float f; int i; } u;
int main(void) {
    float zero = 0;
    u.f = zero / zero;
    if (u.i < 0) reach_error();
    return 0;
}
