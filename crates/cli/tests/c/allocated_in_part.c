// expect: unknown: unsupported: memory of a size that does not fit its type at 6:21
// Six bytes are no number of integers.
extern void *malloc(unsigned);
extern void reach_error(void);
int main(void) {
    int *p = malloc(6);
    *p = 3;
    if (*p == 3) reach_error();
    return 0;
}
