// expect: unknown: unsupported: an address is compared with a number
extern void reach_error(void);
int main(void) {
    const char *p = "text";
    if (p > (const char *) 0x0804b000) reach_error();
    return 0;
}
