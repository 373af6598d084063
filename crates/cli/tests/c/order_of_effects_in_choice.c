// expect: unsafe
// The first alternative has a call that writes what is read beside the choice.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int i;
int f(void) { i = 7; return 1; }
int main(void) {
    int c = __VERIFIER_nondet_int();
    int v = i + (c ? f() : 3) * 10;
    if (v == 17) reach_error();
    return 0;
}
