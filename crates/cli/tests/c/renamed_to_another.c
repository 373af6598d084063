// expect: unknown: unsupported: the attribute `asm` at 6:
// The function that is called has another name for the assembler.
extern void reach_error(void);
int f(void) asm("g");
int main(void) {
    if (f() == 1) reach_error();
    return 0;
}
