// expect: unsafe
// Strings and structures find the parts that they are for, also where braces are left out.
extern void reach_error(void);
struct P { int x, y; };
struct Q { struct P p; int z; };
struct S { char s[4]; int v; };
struct S g[2] = {"abc", 1, {"de", 2}};
int main(void) {
    struct S z[2] = {"abc", 1, "de", 2};
    struct P i = {3, 4};
    struct Q q[2] = {i, 5, i, 6};
    if (g[0].s[1] == 'b' && g[0].v == 1 && g[1].s[1] == 'e' && g[1].s[2] == 0 && g[1].v == 2 &&
        z[0].s[2] == 'c' && z[0].v == 1 && z[1].s[0] == 'd' && z[1].v == 2 &&
        q[0].p.x == 3 && q[0].p.y == 4 && q[0].z == 5 && q[1].p.y == 4 && q[1].z == 6)
        reach_error();
    return 0;
}
