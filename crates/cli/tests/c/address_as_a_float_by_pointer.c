// expect: unknown: unsupported: `ext` is not defined and may write to what it is given
extern void reach_error(void);
extern void ext(float);
int main(void) {
    union { int *p; float f; } u;
    int x = 0;
    float *q = &u.f;
    u.p = &x;
    ext(*q);
    if (x) reach_error();
    return 0;
}
