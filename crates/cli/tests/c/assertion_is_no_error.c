// expect: safe
// Where the error is a call of reach_error, a failed assertion only ends the program.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int()) __assert_fail("0", "f.c", 7, "main");
    return 0;
}
