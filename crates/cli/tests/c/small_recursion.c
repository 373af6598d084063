// expect: safe
extern void reach_error(void);
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
    if (fib(4) != 3) reach_error();
    return 0;
}
