// expect: unsafe
// gcc negates here, and does not divide: there is no quotient that is too large.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int q = x / -1, r = x % -1;
    if (x == -2147483647 - 1 && q == x && r == 0) reach_error();
}
