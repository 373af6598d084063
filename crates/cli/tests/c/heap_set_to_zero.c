// expect: safe
// domain: default
// All of something is set to zero.
extern void reach_error(void);
extern void *malloc(unsigned), *memset(void *, int, unsigned);
struct node { int value; struct node *next; };
int a[3] = { 1, 2, 3 };
int main(void) {
    struct node *last = 0, s = { 4, 0 };
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        memset(n, 0, sizeof *n);
        if (n->value || n->next) reach_error();
        n->next = last;
        last = n;
    }
    memset(a, 0, sizeof a);
    memset(&s, 0, sizeof s);
    if (a[0] || a[2] || s.value) reach_error();
    return 0;
}
