// expect: unknown: unsupported: `free` of something that is not allocated memory at 9:17
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); *p[i] = i; }
    free(p[1]); free(p[1]);
    return 0;
}
