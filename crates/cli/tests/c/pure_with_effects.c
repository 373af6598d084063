// expect: safe
// A compiler may drop a call of a function that says of itself that it has no effects.
extern void reach_error(void);
int g;
__attribute__((noinline, pure)) int f(void) { g++; return 1; }
int main(void) {
    f();
    if (g == 0) reach_error();
    return 0;
}
