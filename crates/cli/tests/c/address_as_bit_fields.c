// expect: unknown: unsupported: `ext` is not defined and may write to what it is given
extern void reach_error(void);
extern void ext(int);
int main(void) {
    union { struct { int a : 20; int b : 12; } s; int *p; } g;
    int x = 0;
    g.p = &x;
    ext(g.s.a);
    ext(g.s.b);
    if (x) reach_error();
    return 0;
}
