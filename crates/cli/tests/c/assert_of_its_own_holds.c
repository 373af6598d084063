// expect: safe
// What an `assert` without a header says holds afterwards as well.
extern int __VERIFIER_nondet_int(void);
extern void assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 2) x = 2;
    assert(x < 3);
    return 0;
}
