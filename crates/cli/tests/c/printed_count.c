// expect: unknown: unsupported: `printf` may write by `%n` to what it is given at 7:
extern void reach_error(void);
extern int printf(const char *, ...);
int main(void) {
    int n = 0;
    printf("100%% of %s\n", "all");
    printf("abc%*lln", 3, &n);
    if (n) reach_error();
    return 0;
}
