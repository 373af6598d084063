// expect: unknown: unsupported: a pointer whose target is not known at 9:9
// A pointer to a structure that is not there.
extern void reach_error(void);
struct base { int kind; };
struct derived { struct base base; int more; };
int main(void) {
    struct base b = { 1 };
    struct base *p = &b;
    if (p->kind == 1 && ((struct derived *) p)->more) reach_error();
    return 0;
}
