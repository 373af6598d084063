// expect: unknown: unsupported: a pointer whose target is not known at 7:
// Writing through a pointer that was itself read elsewhere leaves the model; the read comes first.
extern void reach_error(void);
extern int **anywhere(void);
int x;
int main(void) {
    int *p = *anywhere();
    int *q = &x;
    *p = 1;
    if (*q) reach_error();
    return 0;
}
