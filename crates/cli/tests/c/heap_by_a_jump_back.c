// expect: safe
// domain: default
// A label and a jump back are a loop.
extern void reach_error(void);
extern void *malloc(unsigned);
int *p[2];
int main(void) {
    int i = 0;
again:
    p[i] = malloc(sizeof(int));
    *p[i] = i;
    i++;
    if (i < 2) goto again;
    if (*p[0] != 0) reach_error();
    return 0;
}
