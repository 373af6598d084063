// expect: unsafe
// `i` may be read after the call.
extern void reach_error(void);
int i;
int f(void) { i = 7; return 1; }
int main(void) {
    if (i < f()) return 0;
    reach_error();
}
