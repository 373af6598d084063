// expect: safe
extern void reach_error(void);
int i, n;
int f(void) { i = 5; n++; return 1; }
int main(void) {
    int j = (i += f());
    if (i != 6 && i != 1 || j != i || n != 1) reach_error();
}
