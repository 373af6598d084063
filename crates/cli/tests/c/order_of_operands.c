// expect: safe
// Operands that do not interfere have one value, and so have those with an order between them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int pos, other;
int next(void) { return ++pos; }
int count(void) { return ++other; }
int both(int a, int b) { return 10 * a + b; }
struct L { struct L *next; int v; } a[4];
int main(void) {
    int first = next(), second = next();
    if (first >= second) reach_error();
    if (both(next(), count()) != 31) reach_error();
    if (next() && next() != 5) reach_error();
    int x = (next(), next());
    if (x != 7) reach_error();
    int i = 0, b[3] = {4, 5, 6};
    i = both(i++, b[1]);
    if (i != 5) reach_error();
    struct L *p = &a[0];
    a[0].next = &a[1];
    struct L *q = p++->next++;
    if (q != &a[1] || a[0].next != &a[2] || p != &a[1]) reach_error();
    return 0;
}
