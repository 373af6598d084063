// expect: unknown: unsupported: an address is compared with a number
extern void reach_error(void);
enum { PLACE = 0x0804b000 };
int x = 1;
int main(void) {
    long number = PLACE;
    int *p = (int *) number, *q = &x;
    if (p == q) reach_error();
    return 0;
}
