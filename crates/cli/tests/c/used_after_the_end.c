// expect: safe
// An assumption: what `p` points to at the end is taken to be there still.
extern void reach_error(void);
int *p;
void f(void) { int x = 1; p = &x; }
int main(void) {
    f();
    if (*p != 1) reach_error();
    return 0;
}
