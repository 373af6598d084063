// expect: unsafe
extern void reach_error(void);
struct S { int a; } s1, s2, *ps = &s1;
int f(void) { ps = &s2; return 1; }
int main(void) {
    ps->a = f();
    if (s2.a == 1) reach_error();
}
