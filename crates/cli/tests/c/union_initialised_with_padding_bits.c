// expect: unknown: unsupported: the bits of a union that its initialiser does not set are not modelled
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct b { int a : 3; int b : 7; };
union u { struct b s; int i; };
int main(void) {
    union u u = {.s = {__VERIFIER_nondet_int(), 2}};
    if ((unsigned) u.i >> 10 != 0) reach_error();
    return 0;
}
