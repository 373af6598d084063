// expect: unknown: unsupported: an address is compared with a number
extern void reach_error(void);
union { long number; int *pointer; } u;
int x = 1;
int main(void) {
    u.number = 0x0804b000;
    if (u.pointer == &x) reach_error();
    return 0;
}
