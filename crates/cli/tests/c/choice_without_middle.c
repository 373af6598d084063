// expect: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = 0, d = __VERIFIER_nondet_int();
    if (p && (*p ?: 5)) return 1;
    int r = d == 0 ? 1 : (100 / d ?: 2);
    if (d == 0 && r == 1) reach_error();
    return 0;
}
