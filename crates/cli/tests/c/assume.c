// expect: safe
extern void abort(void);
void reach_error(void) { abort(); }
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); abort(); } } }
int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 3);
    __VERIFIER_assert(x != 3);
    return 0;
}
