// expect: unknown: unsupported: a shift by more than the width at 6:
// C does not say what this is.
extern void reach_error(void);
int main(void) {
    unsigned x = 1;
    x = x << 32;
    if (x == 1) reach_error();
    return 0;
}
