// expect: safe
// What is read through a pointer of which nothing is known may be anything; null cannot be read.
extern void reach_error(void);
extern int *anywhere(void);
struct list { struct list *next; int value; };
extern struct list *somewhere(void);
int main(void) {
    int x = *anywhere(), y = x ? 1 : 2;
    if (y != 1 && y != 2) reach_error();
    struct list *list = somewhere();
    if (!list) {
        if (list->value) reach_error();
        reach_error();
    }
    if (list->next->next->value > 3 && 3 > y + 2) reach_error();
    return 0;
}
