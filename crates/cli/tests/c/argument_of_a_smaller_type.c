// expect: safe
extern void reach_error(void);
int f(a, p) char a; int *p; { return a == 1 && p == 0; }
int main(void) {
    if (!f(257, 0)) reach_error();
    return 0;
}
