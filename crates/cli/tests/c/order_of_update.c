// expect: unsafe
extern void reach_error(void);
int i;
int f(void) { i = 5; return 1; }
int main(void) {
    i += f();
    if (i == 1) reach_error();
}
