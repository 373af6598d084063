// expect: safe
// A function that is defined elsewhere changes no variable whose address it is not given.
extern void reach_error(void);
extern int shared;
extern void ext(void);
int global;
int main(void) {
    shared = 1;
    ext();
    if (shared != 1 || global != 0) reach_error();
    return 0;
}
