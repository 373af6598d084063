// expect: safe
// What the parser computes is what the program computes: lengths and cases are constants.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum { XOR = 12 ^ 10, OR = 12 | 3, AND = 12 & 10, LEFT = 3 << 2, RIGHT = -8 >> 1, DIV = -7 / 2, REM = -7 % 2,
       LE = (2 <= 2) + (3 <= 2), LT = (1 < 2) + (2 < 2), GE = (2 >= 2) + (1 >= 2), GT = (3 > 2) + (2 > 2),
       EQ = (2 == 2) + (1 == 2), NE = (1 != 2) + (2 != 2), NOT = ~5, ZERO = !5 + !0, NEG = -(5 - 7),
       BOTH = (1 && 2) + (1 && 0), EITHER = (0 || 2) + (0 || 0), CHOICE = 0 ? 5 : 6, LARGE = 1u - 2u > 0 };
int twelve = 12, ten = 10, seven = -7, two = 2;
struct { int x, y; } old = {y: 5, x: 4};
int main(void) {
    switch (1LL << twelve << 28) {
    case 1LL << 40: break;
    case 3LL << 40 >> 1: reach_error();
    default: reach_error();
    }
    if (old.x != 4 || old.y != 5) reach_error();
    char a[XOR], b[LARGE + 1];
    if (sizeof a != 6 || sizeof b != 2) reach_error();
    if (XOR != (twelve ^ ten) || OR != (twelve | 3) || AND != (twelve & ten) || LEFT != 3 << two) reach_error();
    if (RIGHT != -4 || DIV != seven / two || DIV != -3 || REM != seven % two || REM != -1) reach_error();
    if (LE != 1 || LT != 1 || GE != 1 || GT != 1 || EQ != 1 || NE != 1 || NOT != -6) reach_error();
    if (ZERO != 1 || NEG != 2 || BOTH != 1 || EITHER != 1 || CHOICE != 6) reach_error();
    return 0;
}
