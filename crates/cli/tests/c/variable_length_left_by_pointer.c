// expect: unknown: unsupported: a pointer that has left what it points to at 11:
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3) return 0;
    int a[n];
    a[0] = 1;
    int *p = a;
    while (p < a + n) p++;
    if (*p) reach_error();
    return 0;
}
