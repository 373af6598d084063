// expect: unknown: unsupported: the bits of a union that its initialiser does not set are not modelled
// Compilers differ in what is beyond the member that is set.
extern void reach_error(void);
struct s { int tag; union { char c; int i; } u; };
int main(void) {
    struct s s = {1};
    if (s.u.i != 0) reach_error();
    return 0;
}
