// expect: safe
// It ends the program.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 5 / x;
    if (x == 0) reach_error();
    if (x != 1 && 7 % (x - 1) == 9) reach_error();
    return 0;
}
