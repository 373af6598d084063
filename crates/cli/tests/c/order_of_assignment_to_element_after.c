// expect: unsafe
extern void reach_error(void);
int i, a[3];
int f(void) { i = 2; return 1; }
int main(void) {
    a[i] = f();
    if (a[2] == 1) reach_error();
}
