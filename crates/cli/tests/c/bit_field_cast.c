// expect: safe
// A bit-field is promoted to int by its width; what a cast makes of it, also one to its declared type, by that type.
extern void reach_error(void);
int main(void) {
    struct { unsigned b : 9; } s = { 300 };
    long long promoted = 1 - s.b, cast = 1 - (unsigned) s.b;
    if (promoted != -299 || cast != 4294966997LL) reach_error();
    return 0;
}
