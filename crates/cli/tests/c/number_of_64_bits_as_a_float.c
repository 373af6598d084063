// expect: safe
// domain: predicate
// With the older floating-point unit, 32-bit code keeps more digits.
extern void reach_error(void);
extern long long __VERIFIER_nondet_longlong(void);
int main(void) {
    long long v = __VERIFIER_nondet_longlong();
    if (v == 9007199254740993LL && (long long) (double) v != 9007199254740992LL) reach_error();
    return 0;
}
