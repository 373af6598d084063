// expect: safe
extern void reach_error(void);
struct P { int x, y; };
int next(void) {
    static struct P p = (struct P){ 1, 2 };
    return p.x += p.y;
}
int main(void) {
    if (next() != 3 || next() != 5) reach_error();
    return 0;
}
