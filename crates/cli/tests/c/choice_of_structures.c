// expect: unsafe
extern void reach_error(void);
struct S { int k, x; };
int main(void) {
    struct S s = {1, 2}, *p = 0;
    if (p && (p->k ? *p : s).x) return 1;
    int r = p != 0 ? (p->x > 3 ? *p : s).x : 5;
    if (r == 5) reach_error();
    return 0;
}
