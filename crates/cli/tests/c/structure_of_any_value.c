// expect: unknown: unsupported: a structure of any value
// A structure that is not given.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int x; };
extern struct s __VERIFIER_nondet_s(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    struct s s = __VERIFIER_nondet_s();
    x = s.x;
    if (x == 3) reach_error();
    return 0;
}
