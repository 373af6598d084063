// expect: unsafe
// Nothing that matters depends on the floating numbers.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    double d = 0.5;
    int x = __VERIFIER_nondet_int(), y = d > 0.25;
    if (x == 3) reach_error();
    return y;
}
