// expect: safe
// Each call leads to one more: that may go on for longer than if it led to two.
extern void reach_error(void);
int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
    if (sum(20) != 210) reach_error();
    return 0;
}
