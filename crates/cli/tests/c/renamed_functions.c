// expect: safe
// These names for the assembler stand for a version of the same function: its result is any number.
extern void reach_error(void);
int f(void) __asm__("" "f");
int g(void) asm("__version_g");
int h(void) asm("h64");
int main(void) {
    int a = f(), b = g(), c = h();
    if (a > 0 && b > 0 && c > 0 && (a < 1 || b < 1 || c < 1)) reach_error();
    return 0;
}
