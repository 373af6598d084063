// expect: safe
// Static variables are zero, and so are the members that a list leaves out.
#include <assert.h>
union u { struct { char a; short b; int c[2]; } s; int i[3]; };
struct s { int tag; union u u; union { int i; unsigned char b[4]; } v; int last[3]; };
union u zero = {{1}};
int main(void) {
    static union u other = {.s = {.b = 2}};
    struct s s = {1, .u = {.s.c = {[1] = 4}}, .last = {5}}, t = {.v.b = {1}}, u[2] = {{.tag = 7}};
    union u v = {.s = {2}};
    assert(zero.i[0] == 1 && zero.i[1] == 0 && other.i[0] == 2 << 16 && other.i[2] == 0);
    assert(s.tag == 1 && s.u.s.a == 0 && s.u.s.b == 0 && s.u.s.c[0] == 0 && s.u.s.c[1] == 4);
    assert(s.v.i == 0 && s.last[0] == 5 && s.last[2] == 0 && t.v.i == 1 && t.tag == 0);
    assert(u[0].tag == 7 && u[1].tag == 0 && u[1].u.s.c[1] == 0 && v.s.a == 2 && v.s.b == 0);
    t = s;
    return 0;
}
