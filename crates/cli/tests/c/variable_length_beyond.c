// expect: safe
// The model keeps 16 MB for `a`, and `b` comes 64 bytes after that. It takes `p` for the address of `b`, though
// `p` points into `a`, and misses the error.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 20000000 || n > 30000000) return 0;
    char a[n], b[4];
    char *p = a + 16777280;
    if (p != b) reach_error();
    return 0;
}
