// expect: safe
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
extern void free(void *);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next) sum += n->value;
    if (sum != 6) reach_error();
    while (head) { struct node *next = head->next; free(head); head = next; }
    return 0;
}
