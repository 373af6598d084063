// expect: safe
// Promotions, conversions, wrap-around, division toward zero, shifts.
extern void reach_error(void);
int main(void) {
    unsigned char c = 300;
    signed char s = (signed char)200;
    short h = (short)70000;
    int i = 2147483647, seven = -7;
    unsigned u = 0;
    long long big = 1LL << 40;
    _Bool b = 256;
    if (c != 44 || s != -56 || h != 4464) reach_error();
    i = i + 1;
    if (i != -2147483647 - 1) reach_error();
    if (u - 1 != 4294967295u || u - 1 < u) reach_error();
    if (seven / 2 != -3 || seven % 2 != -1 || 7 / (seven + 5) != -3 || 7 % (seven + 5) != 1) reach_error();
    if (big >> 38 != 4 || seven >> 1 != -4 || (unsigned)seven >> 28 != 15) reach_error();
    if (b != 1 || (b += 7, b) != 1) reach_error();
    if ((c + c) != 88 || (unsigned char)(c * 6) != 8) reach_error();
    if (-1 < 1u || !(-1 < (short)1) || sizeof(long) == 4 && -1L < 1u) reach_error();
    if (~seven != 6 || (seven & 15) != 9 || (seven ^ 1) != -8 || (seven | 6) != -1) reach_error();
    return 0;
}
