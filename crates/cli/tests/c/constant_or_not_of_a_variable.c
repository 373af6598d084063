// expect: unknown: unsupported: `__builtin_constant_p` depends on the compiler
// gcc may know the value of a parameter, as it may not.
extern void reach_error(void);
static inline int f(int x) { return __builtin_constant_p(x); }
int main(void) {
    if (f(3)) reach_error();
    return 0;
}
