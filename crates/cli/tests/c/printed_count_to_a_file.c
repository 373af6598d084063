// expect: unknown: unsupported: `fprintf` may write by `%n` to what it is given at 9:
typedef struct file FILE;
extern FILE *stderr;
extern void reach_error(void);
extern int fprintf(FILE *, const char *, ...);
int main(void) {
    int n = 0;
    fprintf(stderr, "%p", (void *) &n);
    fprintf(stderr, n ? "%d" : "%hhn", &n);
    if (n) reach_error();
    return 0;
}
