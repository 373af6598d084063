// expect: safe
// Another file may define the function that a compiler calls instead.
extern void reach_error(void);
inline int f(void) { return 1; }
int main(void) {
    if (f() != 1) reach_error();
    return 0;
}
