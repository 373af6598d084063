// expect: unknown: unsupported: the bits of a union that its initialiser does not set are not modelled
// bits: 64
// What lies between the members of a structure keeps what was there.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
union u { struct { char a; long b; } s; int i[4]; };
int main(void) {
    union u u = {.s = {__VERIFIER_nondet_int(), 2}};
    if (u.i[1] != 0) reach_error();
    return 0;
}
