// expect: unknown: unsupported: 
extern void reach_error(void);
extern void ext(long);
long number(int *p) { return (long) p; }
int main(void) {
    int x = 0;
    long a[2] = { 0, (long) &x }; long *p = a; p++; int i = 0; long b = p[i]; ext(b);
    if (x) reach_error();
    return 0;
}
