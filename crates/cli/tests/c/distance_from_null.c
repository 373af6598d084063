// expect: unknown: unsupported: the distance of a null pointer from another one at 7:
// The distance is an address. With it, `q` points to `g`.
extern void reach_error(void);
char g = 1;
int main(void) {
    char *p = &g, *n = 0;
    long d = p - n;
    char *q = n + d;
    *q = 4;
    if (g == 4) reach_error();
    return 0;
}
