// expect: unsafe
extern void reach_error(void);
int main(void) {
    int popcount = 1;
    if (popcount == 0) popcount = __builtin_popcount(7);
    if (popcount == 1) reach_error();
    return 0;
}
