// expect: unknown: unsupported
#include <assert.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t count, room;
};

static int append(struct vector *v, int item)
{
    if (v->count == v->room) {
        size_t room = v->room == 0 ? 2 : v->room * 2;
        int *items = realloc(v->items, room * sizeof(int));
        if (items == NULL)
            return -1;
        v->items = items;
        v->room = room;
    }
    v->items[v->count++] = item;
    return 0;
}

int main(void)
{
    struct vector v = { NULL, 0, 0 };
    for (int i = 0; i < 3; i++)
        if (append(&v, i) != 0)
            return 1;
    assert(v.items[0] == 0 && v.items[2] == 2); // and not: assert(v.items[2] == 3);
    free(v.items);
    return 0;
}
