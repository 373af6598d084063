// expect: unknown: unsupported: a pointer whose target is not known at 8:5
// What a pointer in a union points to is not known.
extern void reach_error(void);
int x;
union u { int *p; int *q; } u;
int main(void) {
    u.p = &x;
    *u.q = 5;
    if (x == 5) reach_error();
    return 0;
}
