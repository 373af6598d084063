/* The error is not defined, and neither are the values. */
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern int read_sensor(int channel);
int main(void) {
    unsigned char c = __VERIFIER_nondet_uchar();
    short s = __VERIFIER_nondet_short();
    int i, sum = 0;
    __VERIFIER_assume(c > 200);
    for (i = 0; i < 3; i++) sum += read_sensor(i) == 10 + i;
    if (sum == 3 && s * 3 == -300 && c % 16 == 5 && __VERIFIER_nondet_short() == 7) __VERIFIER_error();
    return 0;
}
