// expect: unknown: unsupported: `ext` is not defined and may write to what it is given
// The bits of an address are given away as a floating number.
extern void reach_error(void);
extern void ext(float);
int main(void) {
    union { int *p; float f; } u;
    int x = 0;
    u.p = &x;
    ext(u.f);
    if (x) reach_error();
    return 0;
}
