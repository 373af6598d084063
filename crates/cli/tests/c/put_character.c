// expect: unknown: unsupported: `putchar` is not modelled at 5:
extern void reach_error(void);
extern int putchar(int);
int main(void) {
    if (putchar('a') == 'b') reach_error();
    return 0;
}
