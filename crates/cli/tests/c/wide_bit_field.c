// expect: unknown: unsupported: a calculation with a bit-field that is wider than `int` at 6:
extern void reach_error(void);
struct { unsigned long long a : 33; } s = { 0x1ffffffffull };
int main(void) {
    unsigned long long a = s.a;
    if (s.a + 1 == 0) reach_error();
    return 0;
}
