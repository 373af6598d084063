// expect: unknown: unsupported: a pointer whose target is not known at 5:
extern void reach_error(void);
extern int *anywhere(void);
int main(void) {
    if (*anywhere()) reach_error();
    return 0;
}
