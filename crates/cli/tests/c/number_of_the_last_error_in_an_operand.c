// expect: unknown: unsupported: `
// The order of the operands is open, and one of them sets `errno`.
extern void reach_error(void);
extern int errno;
int strcoll(const char *, const char *);
int f(void);
int main(void) {
    errno = 0;
    int e = errno + 0 * strcoll("x", "y");
    if (e) reach_error();
    return 0;
}
