// expect: unknown: unsupported: a floating number that is too large for an integer at 5:
extern void reach_error(void);
int main(void) {
    double d = 3e9;
    int i = d;
    if (i == 5) reach_error();
    return 0;
}
