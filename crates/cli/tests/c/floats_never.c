// expect: safe
// domain: predicate
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x < 1 && x > 2) reach_error();
    if (x == x && !(x <= 3) && !(x > 3)) reach_error();
    if (-x > 0 && x >= 0) reach_error();
    return 0;
}
