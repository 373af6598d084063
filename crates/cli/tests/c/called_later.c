// expect: unknown: unsupported: `atexit`, which calls functions later
// A function is called after the last statement.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int atexit(void (*)(void));
void last(void) { reach_error(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    x = 0;
    atexit(last);
    if (x == 3) reach_error();
    return 0;
}
