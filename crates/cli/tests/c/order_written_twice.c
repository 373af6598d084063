// expect: unknown: unsupported: an expression whose value depends on the order in which its parts are evaluated at 5:
extern void reach_error(void);
int main(void) {
    int i = 0;
    i = i++;
    if (i > 1) reach_error();
}
