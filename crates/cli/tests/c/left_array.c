// expect: unknown: unsupported: an index outside of its array at 8:
// What is read outside of an array is not zero, and nothing follows from it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[4] = { 1, 1, 1, 1 };
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i > 2 && i < 6 && a[i] == 7) reach_error();
    return 0;
}
