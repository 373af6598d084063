// expect: unknown: unsupported: a `const` object is changed at 5:
// Compilers take it for constant, and it may be in memory that cannot be written.
extern void reach_error(void);
const int c = 5;
int main(void) { *(int *) &c = 6; if (c == 6) reach_error(); return 0; }
