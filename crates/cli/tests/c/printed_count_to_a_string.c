// expect: unknown: unsupported: `snprintf` is not defined and may write to what it is given at 6:
extern void reach_error(void);
extern int snprintf(char *, unsigned, const char *, ...);
int main(void) {
    int n = 0;
    snprintf(0, 0, "abc%n", &n);
    if (n) reach_error();
    return 0;
}
