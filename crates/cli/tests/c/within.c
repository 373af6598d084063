// expect: safe
// Accesses that stay within their arrays, directly and by pointers.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int a[8], m[2][3];
unsigned char table[256];
int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    int *p = a, i;
    a[c & 7] = 1;
    a[c % 8] = 2;
    table[c] = 3;
    for (i = 0; i < 2; i++) m[i][i + 1] = 4;
    p[5] = 6;
    p += 5;
    if (*p != 6 || m[1][2] != 4) reach_error();
    return 0;
}
