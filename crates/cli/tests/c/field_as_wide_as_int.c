// expect: safe
// A signed field of 32 bits is promoted to `int`, whatever its type.
extern void reach_error(void);
struct s { long long field : 32; } s;
int main(void) {
    s.field = 5;
    if (s.field + 1 != 6 || sizeof(s.field + 1) != 4) reach_error();
    s.field = -1;
    if (s.field * 2 != -2) reach_error();
    return 0;
}
