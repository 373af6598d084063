// expect: unsafe
// Without the header, `assert` is a function that is not defined here.
extern int __VERIFIER_nondet_int(void);
extern void assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x < 3 || x > 5);
    return 0;
}
