// expect: unknown: unsupported: `printf` may write by `%n` to what it is given at 8:
extern void reach_error(void);
extern int printf(const char *, ...);
extern char *format(void);
int main(void) {
    int n = 0;
    printf(format(), n);
    printf(format(), &n);
    if (n) reach_error();
    return 0;
}
