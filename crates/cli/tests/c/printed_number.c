// expect: unknown: unsupported: `printf` is not modelled at 5:
extern void reach_error(void);
extern int printf(const char *, ...);
int main(void) {
    if (printf("x") > 100) reach_error();
    return 0;
}
