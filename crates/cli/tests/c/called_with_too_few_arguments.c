// expect: unknown: unsupported: a call through a pointer to an unknown function at 8:
// What such a call does is not defined.
extern void reach_error(void);
int f(int a, int b) { return a; }
int g(int a) { return a; }
int main(void) {
    int (*p)(int) = (int (*)(int))f, (*q)(int) = g;
    if (p(1) != 1 || q(1) != 1) reach_error();
    return 0;
}
