// expect: unknown: unsupported: a `const` object is changed at 6:
extern void reach_error(void);
int main(void) {
    const int c[2] = {5, 6};
    int *p = (int *) c;
    p[1] = 7;
    if (c[1] == 6) reach_error();
    return 0;
}
