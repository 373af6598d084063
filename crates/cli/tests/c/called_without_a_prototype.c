// expect: safe
// `()` says nothing about the arguments, in functions and in pointers to them.
extern void reach_error(void);
int later();
int one(int x) { return x + 1; }
int two(int x, int y) { return x + y; }
int main(void) {
    int (*p)() = one, (*q)() = two;
    if (p(1) != 2 || q(3, 4) != 7 || later(5, 6) != 30) reach_error();
    return 0;
}
int later(int x, int y) { return x * y; }
