// expect: safe
// What parameters declare is known in the body of their function, and only there.
extern void reach_error(void);
struct S { char c; };
enum { A = 1 };
int constant(enum { A = 5 } x) { return A; }
int size(struct S { int a; } *p) { return sizeof(struct S); }
int of_a_prototype(struct S { int a[9]; } *p);
int old(x) enum { A = 7 } x; { return A; }
int old_size(p) struct S { int a[3]; } *p; { return sizeof(struct S); }
int (*result(struct S { int a[4]; } *p))(void) { return sizeof(struct S) == 16 ? (int (*)(void))1 : 0; }
int by_pointer(int (*f)(struct S { int a[8]; } *)) { return sizeof(struct S); }
int inner(enum { A = 5 } x) { enum { B = A }; { enum { A = 6 }; if (A != 6) return 0; } return B; }
int main(void) {
    if (constant(0) != 5 || old(0) != 7 || inner(0) != 5 || A != 1) reach_error();
    if (size(0) != 4 || old_size(0) != 12 || by_pointer(0) != 1 || sizeof(struct S) != 1) reach_error();
    if (!result(0)) reach_error();
    return 0;
}
