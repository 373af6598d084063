// expect: safe
// domain: predicate
extern void __VERIFIER_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i < n) i++;
    if (i != n) __VERIFIER_error();
    return 0;
}
