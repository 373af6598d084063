// expect: safe
// A conversion to a smaller type can make zero of another number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    double small = 1e-300;
    if (x == 256 && (unsigned char)x) reach_error();
    if (x == 65536 && !!(short)x) reach_error();
    if ((float)small) reach_error();
    if (!(float)1e-30) reach_error();
    return 0;
}
