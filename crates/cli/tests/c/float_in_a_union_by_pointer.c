// expect: unknown: unsupported: an assignment to a part that is not modelled at 6:
extern void reach_error(void);
union U { int i; float f; } u;
int main(void) {
    float *p = &u.f;
    *p = 1.0f;
    if (u.i != 0) reach_error();
    return 0;
}
