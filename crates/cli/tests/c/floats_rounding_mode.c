// expect: unknown: unsupported: `fesetround`, which may change how numbers are rounded at 6:
extern void reach_error(void);
extern int fesetround(int);
int main(void) {
    double one = 1, three = 3;
    fesetround(0x800);
    if (one / three != 0.33333333333333331) reach_error();
    return 0;
}
