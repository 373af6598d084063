// expect: safe
// Later initialisers override earlier ones as a whole, and what they do not mention is zero again.
extern void reach_error(void);
struct P { int x, y; };
struct R { struct P e; int d[4]; char a[4]; };
struct H { int h; struct P i; int t; };
union U { int i; struct P s; };
int g[2][2] = {[0] = {1, 2}, [0] = {3}};
struct R r = {.e.x = 4, .e = {.y = 6}, .d = {1, 2, 3, 4}, .d = {[1] = 9}, .a = "abc", .a = "x"};
struct H literal = {.i = (struct P){1, 2}, .i.y = 5};
int main(void) {
    int l[2][2] = {[0] = {1, 2}, [0] = {3}}, kept[2][2] = {[0] = {1, 2}, [0][0] = 3};
    struct R s = {.e.x = 4, .e = {.y = 6}, .d = {1, 2, 3, 4}, .d = {[1] = 9}, .a = "abc", .a = "x"};
    struct P ii = {3, 4};
    struct H h = {.i = ii, .i.y = 1}, k = {.i = {1, 2}, .h = 2, 5};
    union U u = {.i = 5, .s.y = 3};
    int b[6] = {[0 ... 5] = 1, [2] = 3, [4 ... 5] = 9};
    if (g[0][0] != 3 || g[0][1] != 0 || l[0][0] != 3 || l[0][1] != 0) reach_error();
    if (kept[0][0] != 3 || kept[0][1] != 2) reach_error();
    if (r.e.x != 0 || r.e.y != 6 || r.d[0] != 0 || r.d[1] != 9 || r.d[2] != 0) reach_error();
    if (r.a[0] != 'x' || r.a[1] != 0 || r.a[2] != 0) reach_error();
    if (s.e.x != 0 || s.e.y != 6 || s.d[0] != 0 || s.d[1] != 9 || s.d[2] != 0) reach_error();
    if (s.a[0] != 'x' || s.a[1] != 0 || s.a[2] != 0) reach_error();
    // A value for a structure goes with its parts, members without braces are kept.
    if (h.i.x != 0 || h.i.y != 1 || k.i.x != 5 || k.i.y != 2) reach_error();
    if (literal.i.x != 1 || literal.i.y != 5) reach_error();
    if (u.i != 0 || u.s.y != 3) reach_error();
    if (b[1] != 1 || b[2] != 3 || b[3] != 1 || b[4] != 9 || b[5] != 9) reach_error();
    return 0;
}
