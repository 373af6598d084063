// expect: unknown: unsupported: `ext` is not defined and may write to what it is given at
extern void reach_error(void);
extern void ext(long);
long number(int *p) { return (long) p; }
int main(void) {
    int x = 0;
    int *p = &x; unsigned char *c = (unsigned char *) &p; ext(c[0]); ext(c[1]);
    if (x) reach_error();
    return 0;
}
