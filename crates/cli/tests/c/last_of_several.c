// expect: safe
// A pointer into one of two arrays may go to the last element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[3] = {1, 2, 3}, b[2] = {4, 5};
int main(void) {
    int c = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
    int *p = c ? a : b;
    if (i < 0 || i > (c ? 2 : 1)) return 0;
    p = p + i;
    if (c && *p != 1 + i || !c && *p != 4 + i) reach_error();
    *p = 9;
    if (a[2] != (c && i == 2 ? 9 : 3) || b[1] != (!c && i == 1 ? 9 : 5)) reach_error();
    return 0;
}
