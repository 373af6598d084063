// expect: unknown: unsupported: memory that was freed is used at 10:9
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); *p[i] = i; }
    free(p[1]);
    if (*p[1] != 1) reach_error();
    return 0;
}
