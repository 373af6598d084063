// expect: unknown: unsupported: an address is compared with a number
// Any object may be where a number says.
extern void reach_error(void);
int x = 1;
int main(void) {
    if (&x == (int *) 0x0804b000) reach_error();
    return 0;
}
