// expect: safe
// Functions that are defined elsewhere do not look for addresses in the variables of the program.
extern void reach_error(void);
extern void ext(void);
int *global;
int main(void) {
    int x = 0;
    global = &x;
    ext();
    if (x) reach_error();
    return 0;
}
