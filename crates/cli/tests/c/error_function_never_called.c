// expect: unsafe
// A prototype alone does not make `reach_error` the error of a program with assertions.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, "", 0, ""))

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    return 0;
}
