// expect: unsafe
// Where the value goes may be found out before or after the call.
extern void reach_error(void);
struct S { int a; } s1, s2, *ps = &s1;
int f(void) { ps = &s2; return 1; }
int main(void) {
    ps->a = f();
    if (s1.a == 1) reach_error();
}
