// expect: safe
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
struct node { int value; struct node *next; };
void *get(unsigned n) { return malloc(n); }
int main(void) {
    struct node *a = get(sizeof(struct node)), *b = get(sizeof(struct node));
    a->value = 1; a->next = b;
    b->value = 2; b->next = 0;
    if (a == b || a->next->value != 2) reach_error();
    return 0;
}
