// expect: unknown: unsupported: `ext` is not defined and may write to what it is given at 10:
extern void reach_error(void);
struct packet { int kind; long data; };
extern void ext(struct packet);
int main(void) {
    int x = 0;
    struct packet p, q;
    p.data = (long) &x;
    q = p;
    ext(q);
    if (x) reach_error();
    return 0;
}
