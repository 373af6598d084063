// expect: unknown: unsupported: memory that was freed is used at 7:12
// domain: default
// The other operand may be evaluated first.
extern void *malloc(unsigned); extern void free(void *), reach_error(void);
int end(int *p) { free(p); return 0; }
int f(int *p) {
    return 0 * *p + end(p);
}
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    if (f(p)) reach_error();
    return 0;
}
