// expect: unknown: unsupported: `long double` is not modelled at
extern void reach_error(void);
int main(void) {
    long double d = 0.5L;
    if (d + d != 1) reach_error();
    return 0;
}
