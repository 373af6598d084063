// expect: unknown: unsupported: a pointer whose target is not known at
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int g;
int s(void) { __VERIFIER_assume(g == 1); return 0; }
int w(void) { *(char *)&g = 1; return 0; }
int h(int a, int b) { return a; }
int main(void) {
    int v[2] = {s(), w()};
    if (v[0] == 0) reach_error();
}
