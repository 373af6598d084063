// expect: unknown: unsupported: the attribute `weak` at 5:
extern void reach_error(void);
int f(void) __attribute__((weak));
int main(void) {
    if (!f) reach_error();
    return 0;
}
