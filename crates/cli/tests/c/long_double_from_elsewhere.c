// expect: unknown: unsupported: `long double` is not modelled at 8:
// Numbers that are not modelled are not taken for zero.
extern long double elsewhere(void);
extern void reach_error(void);
long double own(void) { return 0; }
int main(void) {
    int (*f)(void) = (int (*)(void))own;
    if (!(int)own()) reach_error();
    if (!(int)elsewhere()) reach_error();
    if (!f()) reach_error();
    return 0;
}
