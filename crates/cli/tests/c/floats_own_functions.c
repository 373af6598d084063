// expect: unsafe
// A function that is defined elsewhere returns any number, whatever its name.
extern void reach_error(void);
extern int exp(int);
static double sqrt(double x) { return x + 1; }
int main(void) {
    if (sqrt(4) != 5) return 0;
    if (exp(1) == 7) reach_error();
    return 0;
}
