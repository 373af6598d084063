// expect: unsafe
// gcc leaves it open what they return.
extern void reach_error(void);
int main(void) {
    if (__builtin_clz(0) == 31) reach_error();
    return 0;
}
