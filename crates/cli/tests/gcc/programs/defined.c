/* The error is a function of the program, which gives no sign of itself. */
void reach_error(void) { }
extern long __VERIFIER_nondet_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
    long l = __VERIFIER_nondet_long();
    unsigned long long u = __VERIFIER_nondet_ulonglong();
    if (l < -2000000000 && l / 7 * 7 == l && u > 18446744073709551000ULL && __VERIFIER_nondet_bool())
        reach_error();
    return 0;
}
