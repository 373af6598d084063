// expect: unknown: unsupported: an operator on something that is no number at 6:
// One of the operands is modelled, the other one is not.
extern void reach_error(void);
_Complex double z;
int main(void) {
    if (1 == z) reach_error();
    return 0;
}
