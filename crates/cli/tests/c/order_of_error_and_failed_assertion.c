// expect: unsafe
// Assertions are not the property here, so a failed one ends the program. The error may come first.
extern void reach_error(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int stop(void) {
    __assert_fail("", "", 1, "");
    return 1;
}
int fail(void) {
    reach_error();
    return 1;
}
int main(void) { return stop() + fail(); }
