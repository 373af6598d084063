// expect: unknown: unsupported: a pointer without a value is read at 9:20
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
struct node { int value; struct node *next; };
int main(void) {
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        if (i > 0) n->value = n->next->value;
    }
    return 0;
}
