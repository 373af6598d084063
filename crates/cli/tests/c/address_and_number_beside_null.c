// expect: unknown: unsupported: an address is compared with a number
extern void reach_error(void);
char x = 1;
int main(void) {
    char *p = 0;
    p = p + 0x0804b000;
    if (p == &x) reach_error();
    return 0;
}
