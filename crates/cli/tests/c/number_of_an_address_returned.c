// expect: unknown: unsupported: `ext` is not defined and may write to what it is given at
extern void reach_error(void);
extern void ext(long);
long number(int *p) { return (long) p; }
int main(void) {
    int x = 0;
    ext(number(&x));
    if (x) reach_error();
    return 0;
}
