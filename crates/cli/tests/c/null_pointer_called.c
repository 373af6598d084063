// expect: unknown: unsupported: a call through a pointer to an unknown function at 7:
extern void reach_error(void);
int f(void) { return 0; }
int (*p)(void);
int main(int argc, char **argv) {
    if (argc > 5) p = f;
    p();
    if (argc < 6) reach_error();
    return 0;
}
