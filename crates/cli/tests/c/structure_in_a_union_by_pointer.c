// expect: unknown: unsupported: a part of a union is written by a pointer at 6:
extern void reach_error(void);
union U { int i[2]; struct S { int a, b; } s; } u;
int main(void) {
    struct S t = {1, 2}, *p = &u.s;
    *p = t;
    if (u.i[0] == 1) reach_error();
    return 0;
}
