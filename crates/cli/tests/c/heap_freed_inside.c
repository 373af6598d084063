// expect: unknown: unsupported: `free` of something that is not allocated memory at 9:5
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); *p[i] = i; }
    free((char *) p[1] + 1);
    return 0;
}
