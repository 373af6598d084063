// expect: safe
extern void reach_error(void);
int main(void) {
    if (__builtin_popcount(0xf0) != 4 || __builtin_parity(7) != 1) reach_error();
    if (__builtin_clz(1) != 31 || __builtin_ctz(8) != 3 || __builtin_ffs(0) != 0) reach_error();
    if (__builtin_bswap32(0x12345678) != 0x78563412 || __builtin_bswap16(0x1234) != 0x3412) reach_error();
    if (__builtin_strlen("abc") != 3 || __builtin_strcmp("a", "a")) reach_error();
    return 0;
}
