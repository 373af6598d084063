// expect: unknown: unsupported: an address in a union may be read as a number at 7:
extern void reach_error(void);
int main(void) {
    union { int *p; unsigned long n; } u;
    int x;
    u.p = &x;
    if (u.n != 65536) reach_error();
    return 0;
}
