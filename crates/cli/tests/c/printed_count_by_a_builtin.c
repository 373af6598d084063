// expect: unknown: unsupported: `__builtin_printf` may write by `%n` to what it is given at 5:
extern void reach_error(void);
int main(void) {
    int n = 0;
    __builtin_printf("abc%1$n", &n);
    if (n) reach_error();
    return 0;
}
