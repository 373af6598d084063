// expect: unknown: unsupported: an expression whose value depends on the order in which its parts are evaluated at 8:
// Both calls may come before both reads, which is no order of the two sums.
extern void reach_error(void);
int a, b;
int f(void) { b = 1; return 0; }
int g(void) { a = 1; return 0; }
int main(void) {
    if ((a + f()) + (b + g()) == 2) reach_error();
}
