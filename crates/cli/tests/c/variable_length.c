// expect: safe
// Arrays whose length is computed: in a loop with another length each time, behind pointers, with arrays inside.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int last(int n, int a[n]) { return a[n - 1]; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 5) return 0;
    int a[n], *p = a + 1, pairs[n][2];
    a[n - 1] = 7;
    pairs[n - 1][1] = n;
    *p = 8;
    if (last(n, a) != (n == 2 ? 8 : 7)) reach_error();
    if (pairs[n - 1][1] != n || *(pairs[n - 1] + 1) != n) reach_error();
    for (int i = 1; i < 4; i++) {
        char b[i + n];
        b[i + 1] = i;
        if (b[i + 1] != i) reach_error();
    }
    if (sizeof(a) / sizeof(a[0]) != n || sizeof(pairs) != n * 2 * sizeof(int)) reach_error();
    int k = 1;
    int once[k++];
    once[0] = k;
    return once[0] == 2 ? 0 : (reach_error(), 1);
}
