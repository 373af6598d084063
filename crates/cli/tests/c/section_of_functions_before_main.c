// expect: unknown: unsupported: the section `.init_array` at 5:
extern void reach_error(void);
int x;
static void k(void) { x = 1; }
static void (*p)(void) __attribute__((section(".init_array"), used)) = k;
int main(void) {
    if (x) reach_error();
    return 0;
}
