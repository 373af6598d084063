// expect: safe
// The label is not the error where assertions are.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) goto OUT;
    if (x == 3) goto ERROR; if (x == 3) __assert_fail("x != 3", "f.c", 7, "main");
    return 0;
    if (0) { ERROR: return 1; }
OUT: return 0;
}
