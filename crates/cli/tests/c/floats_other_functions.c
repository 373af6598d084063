// expect: unknown: unsupported: `log` is not defined and may write to what it is given at 7:
// It is not the function of this name in the library.
extern void reach_error(void);
extern void log(int *level);
int main(void) {
    int level = 1;
    log(&level);
    if (level != 1) reach_error();
    return 0;
}
