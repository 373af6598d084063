// expect: safe
// Constants that are no `int` get the type of the whole enumeration.
extern void reach_error(void);
enum e { LARGE = 0x80000000u, NEGATIVE = -1, SMALL = 1 };
int main(void) {
    if (sizeof(LARGE) != 8) reach_error();
    if (sizeof(SMALL) != 4) reach_error();
    if (sizeof(enum e) != 8) reach_error();
    if (-LARGE > 0) reach_error();
    return 0;
}
