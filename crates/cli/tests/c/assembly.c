// expect: unknown: unsupported: inline assembly at 5:5
extern void reach_error(void);
int main(void) {
    int x = 1;
    asm volatile("cli");
    if (x != 1) reach_error();
    return 0;
}
