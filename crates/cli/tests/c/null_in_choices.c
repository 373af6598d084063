// expect: safe
// Zero beside a pointer is a null pointer, on both sides.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x = 1;
int main(void) {
    int c = __VERIFIER_nondet_int();
    int *p = c ? &x : 0;
    int *q = c ? 0 : &x;
    if (c && (p != &x || q != 0 || *p != 1)) reach_error();
    if (!c && (p || 0 != p || q != &x || 0 == q || *q != 1)) reach_error();
    return 0;
}
