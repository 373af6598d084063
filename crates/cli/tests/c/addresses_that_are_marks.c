// expect: safe
// Programs use small numbers and the last ones as marks: no object is there. Null is the address of nothing.
#include <assert.h>
struct node { struct node *next; int value; } first;
static void f(void) {}
int main(void) {
    void *p = &first;
    assert(p != (void *) 1 && p != (void *) 0xffff && p != (void *) -1 && p != (void *) -4095);
    assert(p != (void *) 0 && f != (void (*)(void)) 1 && "text" != (char *) -1);
    p = (void *) 0x0804b000;
    assert(p == (void *) 0x0804b000 && p != (void *) 0x0804b001 && p != 0);
    p = 0;
    assert(p != &first && &((struct node *) p)->value != &first.value);
    return 0;
}
