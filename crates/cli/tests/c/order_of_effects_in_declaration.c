// expect: unsafe
// An initializer writes what is read beside the call.
extern void reach_error(void);
int i;
int f(int c) { int n = i = 7; return 1; }
int main(void) {
    int v = 0;
    v = i + f(0) * 10;
    if (v == 17) reach_error();
    return 0;
}
