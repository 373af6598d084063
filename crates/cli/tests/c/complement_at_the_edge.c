// expect: safe
// The complement of the least value is just too large, and that of the greatest just too small.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void) {
    signed char x = __VERIFIER_nondet_char();
    signed char y = ~(x - 1), z = ~(x + 1), u = -x, v = x + 1, w = x - 1;
    if (x == -128 && (y != -128 || z != 126 || u != -128 || v != -127 || w != 127)) reach_error();
    if (x == 127 && (y != -127 || z != 127 || u != -127 || v != -128 || w != 126)) reach_error();
    return 0;
}
