// expect: unknown: unsupported: a pointer whose target is not known at
extern void reach_error(void);
extern int *anywhere(void);
int main(void) {
    int *p = anywhere();
    *p = 1;
    if (*p != 1) reach_error();
    return 0;
}
