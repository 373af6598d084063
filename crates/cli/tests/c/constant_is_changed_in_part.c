// expect: unknown: unsupported: a `const` object is changed at 6:
extern void reach_error(void);
struct s { int a, b; };
static const struct s s = {1, 2};
int main(void) {
    ((struct s *) &s)->b++;
    if (s.b == 2) reach_error();
    return 0;
}
