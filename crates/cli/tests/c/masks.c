// expect: safe
// Bits in common with constants: with and without gaps.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x != 1755 || y != -1755) return 0;
    if ((x & 0) != 0 || (x & 1) != 1 || (x & 2) != 2 || (x & 3) != 3 || (x & 4) != 0 || (x & 5) != 1 || (x & 6) != 2) reach_error();
    if ((x & 7) != 3 || (x & 8) != 8 || (x & 10) != 10 || (x & 14) != 10 || (x & 255) != 219 || (x & 256) != 0) reach_error();
    if ((x & -1) != x || (x & -2) != 1754 || (x & -8) != 1752 || (2 & x) != 2 || (7 & x) != 3 || (x & 2147483647) != x) reach_error();
    if ((y & 1) != 1 || (y & 2) != 0 || (y & 7) != 5 || (y & 255) != 37 || (y & -4) != -1756 || (y & 2147483647) != 2147481893) reach_error();
    if ((x | 4) != 1759 || (x ^ 3) != 1752 || ~x != -1756 || (x >> 0) != x || (x << 0) != x || (y >> 1) != -878) reach_error();
    return 0;
}
