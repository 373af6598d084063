// expect: unknown: unsupported: a string literal is changed at
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char buffer[4] = "abc";
    char *s = __VERIFIER_nondet_int() ? buffer : "abc";
    s[0] = 'x';
    if (buffer[0] != 'x' && buffer[0] != 'a') reach_error();
}
