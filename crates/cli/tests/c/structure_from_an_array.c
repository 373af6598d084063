// expect: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int a; _Bool b; };
int main(void) {
    struct S all[3];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 3) return 0;
    struct S t = all[i];
    if (t.a > 2147483647LL) reach_error();
    if (t.b != 0 && t.b != 1) reach_error();
    return 0;
}
