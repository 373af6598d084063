// expect: unsafe
// domain: default
// A pointer to one of two members of the same type is not one to the other.
extern void reach_error(void);
extern void *malloc(unsigned);
struct pair { int first, second; };
void set(int *p, int value) { *p = value; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        struct pair *p = malloc(sizeof *p);
        set(&p->first, 1);
        set(&p->second, 2);
        if (p->first == 1 && p->second == 2) reach_error();
    }
    return 0;
}
