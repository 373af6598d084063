// expect: unknown: unsupported: the distance of pointers to an incomplete type at 9:
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    int n = 3, x[12];
    int (*p)[n] = (int (*)[n])x;
    int (*q)[n] = (int (*)[n])(x + 6);
    if (q - p == 2) reach_error();
    return 0;
}
