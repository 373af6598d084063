// expect: unknown: unsupported: the attribute `cleanup` at 6:
extern void reach_error(void);
int g;
void c(int *p) { g = *p; }
int main(void) {
    { int x __attribute__((cleanup(c))) = 7; }
    if (g == 7) reach_error();
    return 0;
}
