// expect: unsafe
// Zero is a value of an unsigned type: what is one less wraps around.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    if ((unsigned)a + (unsigned)b - 1u > 1000u) reach_error();
    return 0;
}
