// expect: safe
// There are two orders and no third.
extern void reach_error(void);
int i;
int f(void) { i = 7; return 1; }
int main(void) {
    int v = i + f() * 10;
    if (v != 17 && v != 10) reach_error();
    int w = f() + i;
    if (w != 8) reach_error();
}
