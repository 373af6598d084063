// expect: unknown: unsupported: `strlen` is not modelled at 5:
extern void reach_error(void);
extern long long strlen(const char *);
int main(void) {
    if (strlen("a") != 1) reach_error();
    return 0;
}
