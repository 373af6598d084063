// expect: unknown: unsupported: an address of freed memory is compared at 11:9
// domain: default
// Memory that is allocated later may be where something was before.
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); *p[i] = i; }
    free(p[0]);
    if (p[0] == p[1]) reach_error();
    return 0;
}
