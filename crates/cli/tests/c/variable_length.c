// expect: safe
// Arrays whose length is computed: another length in each round, behind pointers, with arrays inside.
extern void reach_error(void);
int last(int n, int a[n]) { return a[n - 1]; }
int main(void) {
    for (int n = 2; n < 4; n++) {
        int a[n], *p = a + 1, pairs[n][2];
        a[n - 1] = 7;
        pairs[n - 1][1] = n;
        *p = 8;
        if (last(n, a) != (n == 2 ? 8 : 7)) reach_error();
        if (*(pairs[n - 1] + 1) != n) reach_error();
        if (sizeof(a) / sizeof(a[0]) != n || sizeof(pairs) != n * 2 * sizeof(int)) reach_error();
    }
    int k = 1;
    char once[k++];
    once[0] = k;
    if (sizeof once != 1 || once[0] != 2) reach_error();
    return 0;
}
