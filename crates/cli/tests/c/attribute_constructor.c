// expect: unknown: unsupported: the attribute `constructor` at 4:
extern void reach_error(void);
int v;
__attribute__((constructor)) void init(void) { v = 5; }
int main(void) {
    if (v == 5) reach_error();
    return 0;
}
