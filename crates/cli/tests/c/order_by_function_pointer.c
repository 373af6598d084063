// expect: unsafe
extern void reach_error(void);
int i;
int f(void) { i = 7; return 1; }
int (*call)(void) = f;
int main(void) {
    if (i + call() == 8) reach_error();
}
