// expect: safe
// The least number divided by -1 has no quotient: the machine ends the program, as it does for zero.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < -2147483647 && y == -1) { x = x / y; reach_error(); }
    return 0;
}
