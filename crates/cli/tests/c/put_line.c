// expect: unknown: unsupported: `puts` is not modelled at 5:
extern void reach_error(void);
extern int puts(const char *);
int main(void) {
    if (puts("x") < -1) reach_error();
    return 0;
}
