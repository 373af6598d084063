// expect: unknown: unsupported: complex numbers
// Parts of complex numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    x = __real__ x;
    if (x == 3) reach_error();
    return 0;
}
