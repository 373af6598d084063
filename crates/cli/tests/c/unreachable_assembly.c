// expect: safe
extern void reach_error(void);
int main(void) {
    int x = 1;
    if (x == 2) { asm volatile("cli"); }
    if (x != 1) reach_error();
    return 0;
}
