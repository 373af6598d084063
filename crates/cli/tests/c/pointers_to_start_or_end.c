// expect: unknown: unsupported: the end of an object is compared with another object
// One of the addresses that a pointer may have in a structure is its end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct { int x, y[2]; } s;
int b[4];
int main(void) {
    int *p = &s.x;
    if (__VERIFIER_nondet_int()) p = s.y + 2;
    if (p == b) reach_error();
    return 0;
}
