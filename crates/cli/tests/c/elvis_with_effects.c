// expect: unknown: unsupported: `?:` with side effects on its right
// The right side of a choice without a middle has an effect.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 1;
    x = (x > 4) ?: y++;
    x = y == 2 ? 3 : 4;
    if (x == 3) reach_error();
    return 0;
}
