// expect: safe
// domain: default
// From a member of a structure to the structure, and from the head of a list to what is not there.
extern void reach_error(void);
extern void *malloc(unsigned);
typedef unsigned size_t;
struct head { struct head *next, *prev; };
struct elem { int value; struct head list; };
struct head all = { &all, &all };
static void add(struct head *new, struct head *to) {
    new->next = to->next; new->prev = to;
    to->next->prev = new; to->next = new;
}
#define entry(p) ((struct elem *) ((char *) (p) - (size_t) &((struct elem *) 0)->list))
int main(void) {
    for (int i = 0; i < 3; i++) {
        struct elem *e = malloc(sizeof *e);
        e->value = i;
        add(&e->list, &all);
    }
    int sum = 0;
    for (struct elem *e = entry(all.next); &e->list != &all; e = entry(e->list.next)) sum += e->value;
    if (sum != 3) reach_error();
    return 0;
}
