// expect: unsafe
// domain: default
// What is allocated has any value at first.
extern void reach_error(void);
extern void *malloc(unsigned);
int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); }
    if (*p[0] != *p[1]) reach_error();
    return 0;
}
