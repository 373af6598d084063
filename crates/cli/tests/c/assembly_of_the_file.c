// expect: unknown: unsupported: assembly at file scope at 3:
extern void reach_error(void);
asm("nop");
int x;
int main(void) {
    if (x) reach_error();
    return 0;
}
