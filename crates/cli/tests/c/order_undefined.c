// expect: unknown: unsupported: an expression whose value depends on the order in which its parts are evaluated at 6:
// Not even an order is defined.
extern void reach_error(void);
int main(void) {
    int i = 0;
    int j = i++ + i;
    if (j > 1) reach_error();
}
