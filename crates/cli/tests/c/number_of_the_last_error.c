// expect: unknown: unsupported: `errno` is not modelled
// Functions of the library may set `errno`.
extern void reach_error(void);
extern int errno;
int open(const char *, int, ...);
int main(void) {
    errno = 0;
    open("x", 0);
    if (errno) reach_error();
    return 0;
}
