// expect: safe
// Another file may define `f` without `weak`, and its `f` would be called instead.
extern void reach_error(void);
__attribute__((weak)) int f(void) { return 1; }
int main(void) {
    if (f() != 1) reach_error();
    return 0;
}
