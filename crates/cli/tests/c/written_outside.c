// expect: unknown: unsupported: `fill` is not defined and may write to what it is given at
extern void reach_error(void);
extern void fill(int *);
int main(void) {
    int x = 1;
    fill(&x);
    if (x != 1) reach_error();
    return 0;
}
