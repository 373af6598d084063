// expect: safe
// Where the error is a call of reach_error, a failed assertion only ends the program.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3 && x < 3) reach_error();
    if (__VERIFIER_nondet_int()) __assert_fail("0", "f.c", 7, "main");
    return 0;
}
