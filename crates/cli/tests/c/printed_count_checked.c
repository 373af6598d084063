// expect: unknown: unsupported: `__printf_chk` may write by `%n` to what it is given at 6:
extern void reach_error(void);
extern int __printf_chk(int, const char *, ...);
int main(void) {
    int n = 0;
    __printf_chk(1, "abc%n", &n);
    if (n) reach_error();
    return 0;
}
