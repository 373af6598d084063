// expect: unknown: unsupported: an address is compared with a number
extern void reach_error(void);
static void f(void) {}
int main(void) {
    if (f == (void (*)(void)) 0x0804b000) reach_error();
    return 0;
}
