// expect: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__builtin_llabs(__VERIFIER_nondet_int() * 3LL) > 0xffffffffLL) reach_error();
    return 0;
}
