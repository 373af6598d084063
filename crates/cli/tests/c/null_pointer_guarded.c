// expect: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int a; } s, *p;
int main(void) {
    if (__VERIFIER_nondet_int()) p = &s;
    if (p && p->a) reach_error();
    int v = p ? p->a : 0;
    if (v) reach_error();
    return 0;
}
