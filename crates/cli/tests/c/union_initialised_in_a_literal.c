// expect: unknown: unsupported: the bits of a union that its initialiser does not set are not modelled
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
union u { struct { char a; int b; } s; unsigned char c[8]; };
int main(void) {
    union u u = (union u) {{__VERIFIER_nondet_int(), 2}};
    if (u.c[1] != 0) reach_error();
    return 0;
}
