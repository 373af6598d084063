// expect: unknown: unsupported: the attribute `alias` at 6:
extern void reach_error(void);
int f(void) { return 3; }
int h(void) __attribute__((alias("f")));
int main(void) {
    if (h() != 3) reach_error();
    return 0;
}
