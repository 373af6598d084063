// expect: safe
// After a designator the list goes on in the innermost part that it names; ranges count at every level.
extern void reach_error(void);
struct P { int x, y; };
struct Q { struct P p; int z; };
struct N { int o; struct { int a, b; }; int c; };
struct Q q = {.p.x = 1, 2, 3};
int open[][2] = {[1][1] = 1, 2};
int main(void) {
    struct { int a[4]; int b; } d = {.a[2] = 5, 6, 7};
    int m[2][2] = {[0][0] = 1, 2, 3}, w[2][4] = {[0 ... 1][1 ... 2] = 4, 5};
    struct N n = {.a = 1, 2, 3};
    struct P p[3] = {[0 ... 1] = 1, 2, 3};
    if (q.p.x != 1 || q.p.y != 2 || q.z != 3) reach_error();
    if (sizeof open != 3 * sizeof open[0] || open[1][1] != 1 || open[2][0] != 2) reach_error();
    if (d.a[1] != 0 || d.a[2] != 5 || d.a[3] != 6 || d.b != 7) reach_error();
    if (m[0][0] != 1 || m[0][1] != 2 || m[1][0] != 3 || m[1][1] != 0) reach_error();
    if (w[0][0] != 0 || w[0][1] != 4 || w[0][2] != 4 || w[0][3] != 0) reach_error();
    if (w[1][0] != 0 || w[1][1] != 4 || w[1][2] != 4 || w[1][3] != 5) reach_error();
    if (n.o != 0 || n.a != 1 || n.b != 2 || n.c != 3) reach_error();
    // Only the first value is for the whole range.
    if (p[0].x != 1 || p[0].y != 0 || p[1].x != 1 || p[1].y != 2 || p[2].x != 3) reach_error();
    return 0;
}
