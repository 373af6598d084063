// expect: safe
extern void reach_error(void);
int pos;
int next(void) { return ++pos; }
struct L { struct L *next; int v; } a[4];
int main(void) {
    if (next() > next()) reach_error();
    if (next() >= next()) reach_error();
    struct L *p = &a[0];
    a[0].next = &a[1];
    struct L *q = p++->next++;
    if (q != &a[1] || a[0].next != &a[2] || p != &a[1]) reach_error();
    return 0;
}
