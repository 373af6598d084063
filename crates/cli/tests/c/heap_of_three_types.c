// expect: safe
// domain: default
extern void reach_error(void);
extern void *malloc(unsigned);
struct a { int x; }; struct b { int x, y; }; struct c { int x, y, z; };
struct any { int kind; void *p; };
struct any all[3];
int main(void) {
    for (int i = 0; i < 3; i++) {
        all[i].kind = i;
        if (i == 0) { struct a *a = malloc(sizeof *a); a->x = 10; all[i].p = a; }
        if (i == 1) { struct b *b = malloc(sizeof *b); b->x = 20; b->y = 21; all[i].p = b; }
        if (i == 2) { struct c *c = malloc(sizeof *c); c->x = 30; c->z = 32; all[i].p = c; }
    }
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += *(int *) all[i].p;
    if (sum != 60) reach_error();
    return 0;
}
