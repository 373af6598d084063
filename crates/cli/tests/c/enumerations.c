// expect: safe
extern void reach_error(void);
enum Wide { WIDE = 0x80000000, BELOW = -1 } wide = BELOW;
enum Huge { HUGE = 0x8000000000000000ull };
enum Plain { ZERO, FIVE = 5 } plain = ZERO;
int main(void) {
    if (wide > 0 || sizeof(wide) != 8) reach_error();
    if (HUGE < 0) reach_error();
    if (plain - 1 < 0 || ZERO - 1 > 0 || sizeof(plain) != 4) reach_error();
    return 0;
}
