// expect: safe
// Built-ins that the parser computes, offsets of elements, operands that are not evaluated.
extern void reach_error(void);
struct in { char c; int a[3]; };
struct out { int first; struct in many[2]; };
int f(void) { return 3; }
int main(void) {
    int n = 1, a[3] = {4, 5, 6};
    if (!__builtin_constant_p(3 + 4)) reach_error();
    if (__builtin_choose_expr(1, 5, n = 7) != 5 || __builtin_choose_expr(0, n = 7, 6) != 6 || n != 1) reach_error();
    if (__builtin_expect(n == 1, 1) != 1 || sizeof(__builtin_expect(n, 1)) != sizeof(long)) reach_error();
    if (__builtin_offsetof(struct out, many[1].a[2]) != 32 || __builtin_offsetof(struct out, many[1]) != 20) reach_error();
    if (1[a] != 5 || *(2 + a) != 6 || (&f)() != 3 || (*f)() != 3 || (**f)() != 3) reach_error();
    if (__extension__ (n + 1) != 2 || sizeof(__extension__ (char) n) != 1 || +n != 1) reach_error();
    __extension__ int m = ({ ; n + 2; });
    ({ if (m == 3) m = 4; });
    if (m != 4 || (n ?: 9) != 1 || ((n - 1) ?: 9) != 9) reach_error();
    return 0;
}
