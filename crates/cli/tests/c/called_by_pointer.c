// expect: unsafe
// A pointer to the error function is as good as its name.
void reach_error(void) { }
void other(void) { }
extern int __VERIFIER_nondet_int(void);
int main(void) {
    void (*f)(void) = other;
    if (__VERIFIER_nondet_int()) f = reach_error;
    f();
    return 0;
}
