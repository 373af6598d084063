// expect: safe
// A function that is defined elsewhere and does not return.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void stop(int) __attribute__((noreturn));
_Noreturn int stop_with_a_number(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3) stop(x);
    if (x < 0) x = stop_with_a_number();
    if (x > 3 || x < 0) reach_error();
    return 0;
}
