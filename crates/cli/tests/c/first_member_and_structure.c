// expect: safe
// The address of the first member is that of its structure.
extern void reach_error(void);
struct base { int kind; };
struct derived { struct base base; int more; };
int get(struct base *b) { return b->kind == 1 ? ((struct derived *) b)->more : 0; }
int main(void) {
    struct derived d = { { 1 }, 5 };
    if (get(&d.base) != 5) reach_error();
    return 0;
}
