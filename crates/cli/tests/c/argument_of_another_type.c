// expect: unknown: unsupported: an address is used as a number at 7:
// The address of `x` is any number.
extern void reach_error(void);
int f(a) long a; { return a == 65536; }
int main(void) {
    int x;
    if (f(&x)) reach_error();
    return 0;
}
