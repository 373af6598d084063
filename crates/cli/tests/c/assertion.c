// expect: unsafe
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char c = __VERIFIER_nondet_char();
    ((c * c != 16384) ? (void)0 : __assert_fail("c", "f.c", 5, "main"));
    return 0;
}
