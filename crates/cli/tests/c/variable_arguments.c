// expect: unknown: unsupported: variable arguments
// What a function with variable arguments takes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int take(int n, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, n);
    n = __builtin_va_arg(list, int);
    return n;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    x = take(1, x);
    if (x == 3) reach_error();
    return 0;
}
