// expect: unknown: unsupported: memory that is allocated without a type at 6:14
// Six bytes are no number of integers.
extern void *malloc(unsigned);
extern void reach_error(void);
int main(void) {
    int *p = malloc(6);
    *p = 3;
    if (*p == 3) reach_error();
    return 0;
}
