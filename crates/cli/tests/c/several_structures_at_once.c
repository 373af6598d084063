// expect: unknown: unsupported: a structure is copied by pointers that may point to several at 10:5
// Which of two structures is assigned depends on a pointer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int x, y; } a = {1, 2}, b = {3, 4};
int main(void) {
    struct s new = {5, 6};
    int c = __VERIFIER_nondet_int();
    struct s *p = c ? &a : &b;
    *p = new;
    if (c && (a.x != 5 || a.y != 6 || b.x != 3 || b.y != 4)) reach_error();
    if (!c && (a.x != 1 || a.y != 2 || b.x != 5 || b.y != 6)) reach_error();
    return 0;
}
