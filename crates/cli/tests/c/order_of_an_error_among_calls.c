// expect: unsafe
// Functions that do nothing but return may come before or after one that violates the property.
extern void reach_error(void);
int one(void) { return 1; }
int fail(void) {
    reach_error();
    return 1;
}
int main(void) { return one() + one() + fail(); }
