// expect: unknown: unsupported: a pointer to an incomplete type is moved at 8:
// gcc refuses this. It is accepted here, so it must not get a verdict.
extern void reach_error(void);
struct s;
extern struct s *get(void);
int main(void) {
    struct s *p = get();
    if (p + 1 == p) reach_error();
    return 0;
}
