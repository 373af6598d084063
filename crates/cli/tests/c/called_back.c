// expect: unknown: unsupported: `every_second` is not defined and may call `tick`, which it is given at 7:
extern void reach_error(void);
extern void every_second(void (*)(void));
int n;
void tick(void) { n++; }
int main(void) {
    every_second(tick);
    if (n) reach_error();
    return 0;
}
