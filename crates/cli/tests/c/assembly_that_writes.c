// expect: unknown: unsupported: inline assembly at 6:5
// Nothing is in the template, but there is an output.
extern void reach_error(void);
int main(void) {
    int x = 1;
    asm volatile("" : "=r"(x));
    if (x != 1) reach_error();
    return 0;
}
