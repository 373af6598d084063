// expect: safe
// An address as a number that is not given to anyone does no harm.
extern void reach_error(void);
extern int ext(long);
extern char *name(void);
int main(void) {
    int x = 0, *p = &x;
    if ((unsigned long) p >= (unsigned long) -4095L) return 1;
    if (((long) p & 3) != 0) return 2;
    ext(x + 5);
    if (x) reach_error();
    return 0;
}
