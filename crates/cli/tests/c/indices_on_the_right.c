// expect: safe
// Elements that are read by an index only on the right of an operator, or in one part of a choice.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[3] = {4, 5, 6}, b[3] = {7, 8, 9}, c[3] = {1, 2, 3}, d[3] = {0, 1, 1}, e[3] = {2, 2, 2}, f[3] = {3, 4, 5};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2) return 0;
    int sum = 10 + a[i], right = i == 3 ? 1 : b[i], middle = i < 3 ? c[i] : 1;
    if (sum != 14 + i || right != 7 + i || middle != 1 + i) reach_error();
    if (i > 0 && !d[i] || i == 0 && d[i] || !(i > 5 || e[i] == 2) || *(&f[0] + i) != 3 + i) reach_error();
    return 0;
}
