// expect: safe
// Values of `long double` are not modelled, and need not be kept for later.
extern void reach_error(void);
int n;
int next(void) { return ++n; }
void take(long double x, int n) { }
int main(void) {
    long double x = 1, y;
    void (*call)(long double, int) = take;
    y = x++;
    y = x + next();
    call(x, next());
    if (n != 2) reach_error();
    return 0;
}
