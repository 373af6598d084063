// expect: safe
// `typeof` of a type and of an expression, which is not evaluated.
extern void reach_error(void);
int main(void) {
    long long wide = 5000000000LL;
    int n = 1;
    typeof(wide) copy = wide;
    __typeof__(unsigned char) small = 300;
    typeof(1 ? 1u : -1) number = -1;
    typeof(n++) *pointer = &n;
    if (copy != 5000000000LL || small != 44 || number < 0 || *pointer != 1) reach_error();
    return 0;
}
