// expect: unknown: unsupported: `ext` is not defined and may write to what it is given at 8:
extern void reach_error(void);
extern int *shared;
extern void ext(void);
int main(void) {
    int x = 0;
    shared = &x;
    ext();
    if (x) reach_error();
    return 0;
}
