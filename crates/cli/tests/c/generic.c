// expect: unknown: unsupported: `_Generic`
// The type of an operand chooses.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    x = _Generic(x, int: 3, default: 4);
    if (x == 3) reach_error();
    return 0;
}
