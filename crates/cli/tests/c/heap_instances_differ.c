// expect: safe
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
int *p[3];
int main(void) {
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); *p[i] = i; }
    if (p[0] == p[1] || *p[0] != 0 || *p[1] != 1 || *p[2] != 2) reach_error();
    return 0;
}
