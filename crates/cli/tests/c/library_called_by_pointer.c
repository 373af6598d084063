// expect: safe
extern void reach_error(void);
extern int strcmp(const char *, const char *), toupper(int);
static int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
    if (apply(toupper, 'a') != 'A') reach_error();
    return 0;
}
