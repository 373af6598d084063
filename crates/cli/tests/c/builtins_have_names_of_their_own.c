// expect: safe
extern void reach_error(void);
int popcount(int x) { return 0; }
int main(void) {
    int clz = 0, y = __builtin_clz(7);
    if (clz == 0 && __builtin_popcount(y) == 3) reach_error();
    return 0;
}
