// expect: unsafe
// `i` may be read after the call.
extern void reach_error(void);
int i;
int f(void) { i = 7; return 1; }
int main(void) {
    int v = i + f() * 10;
    if (v == 17) reach_error();
}
