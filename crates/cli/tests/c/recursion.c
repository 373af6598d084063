// expect: safe
// domain: default
extern void reach_error(void);
int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }
int main(void) {
    if (f(50) != 50) reach_error();
    return 0;
}
