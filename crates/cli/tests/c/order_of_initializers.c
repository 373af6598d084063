// expect: unsafe
extern void reach_error(void);
int i;
int f(void) { i = 5; return 1; }
int main(void) {
    int a[2] = {i, f()};
    if (a[0] == 5) reach_error();
}
