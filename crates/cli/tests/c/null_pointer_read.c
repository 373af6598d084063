// expect: unknown: unsupported: a null pointer is dereferenced at 7:
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int a; } s, *p;
int main(void) {
    if (__VERIFIER_nondet_int()) p = &s;
    if (p->a) reach_error();
    return 0;
}
