/* The error is a failed assertion. */
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern int __VERIFIER_nondet_int(void);
static int twice(void) { return 2 * __VERIFIER_nondet_int(); }
int main(void) {
    int a = twice(), b = twice();
    if (a == 42 && b == -6) __assert_fail("0", "assertion.c", 7, "main");
    return 0;
}
