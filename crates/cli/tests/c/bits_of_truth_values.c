// expect: safe
// Operators on bits of comparisons and of `_Bool` are those of logic.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    _Bool p = a, q = b;
    if (((a > 0) & (b > 0)) != (a > 0 && b > 0)) reach_error();
    if (((a > 0) | (b > 0)) != (a > 0 || b > 0)) reach_error();
    if (((a > 0) ^ (b > 0)) != ((a > 0) != (b > 0))) reach_error();
    if ((p & q) != (p && q)) reach_error();
    if ((p | q) != (p || q)) reach_error();
    if ((p ^ q) != (p != q)) reach_error();
    return 0;
}
