// expect: safe
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
struct node { int value; struct node *next; };
int main(void) {
    struct node *a = malloc(sizeof(struct node)), *b = malloc(sizeof(*b));
    a->value = 1; a->next = b;
    b->value = 2; b->next = 0;
    int sum = 0;
    for (struct node *n = a; n; n = n->next) sum += n->value;
    if (sum != 3) reach_error();
    free(a);
    return 0;
}
