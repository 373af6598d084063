// expect: unknown: unsupported: `ext` is not defined and may write to what it is given at 9:
extern void reach_error(void);
union word { long number; char bytes[4]; };
extern void ext(char);
int main(void) {
    int x = 0;
    union word w;
    w.number = (long) &x;
    ext(w.bytes[0]);
    if (x) reach_error();
    return 0;
}
