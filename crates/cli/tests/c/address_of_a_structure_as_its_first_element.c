// expect: safe
// The address of a structure is that of its first member, and the address of an array that of its first element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a[3]; int b; } x;
int rows[2][2];
int main(void) {
    int *first = (int *)&x, *corner = (int *)rows, i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2) return 0;
    x.a[0] = 7;
    if (*first != 7) reach_error();
    *first = 8;
    if (x.a[0] != 8) reach_error();
    x.a[i] = 9;
    if (first[i] != 9) reach_error();
    *corner = 5;
    if (rows[0][0] != 5) reach_error();
    return 0;
}
