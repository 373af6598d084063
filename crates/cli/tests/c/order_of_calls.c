// expect: unsafe
// The right operand may be computed first.
extern void reach_error(void);
int pos;
int next(void) { return ++pos; }
int main(void) {
    if (next() > next()) reach_error();
    return 0;
}
