// expect: unsafe
// The error comes first if the right operand does.
extern void reach_error(void);
extern void exit(int);
int f(void) { exit(0); return 0; }
int g(void) { reach_error(); return 0; }
int main(void) { return f() + g(); }
