// expect: safe
// A function without a result may return what has none: the effects happen.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int n;
void up(void) { n++; }
void f(int c) { return c ? up() : (void)(n += 2); }
void g(void) { return (void)(n = 5); }
void h(void) { return f(1); }
void i(void) { return (up(), (void)n++); }
int main(void) {
    f(1);
    f(0);
    if (n != 3) reach_error();
    g();
    h();
    if (n != 6) reach_error();
    i();
    if (n != 8) reach_error();
    return __VERIFIER_nondet_int();
}
