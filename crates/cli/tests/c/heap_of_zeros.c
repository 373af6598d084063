// expect: safe
// domain: default
extern void *calloc(unsigned, unsigned);
extern void reach_error(void);
extern void *malloc(unsigned);
struct node { int value; struct node *next; };
int main(void) {
    struct node *last = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = calloc(1, sizeof *n);
        if (n->next || n->value) reach_error();
        n->next = last;
        last = n;
    }
    return 0;
}
