// expect: safe
#include <assert.h>
#include <stdbool.h>

#define CAPACITY 4

static int items[CAPACITY];
static unsigned head, count;

static bool put(int item)
{
    if (count == CAPACITY)
        return false;
    items[(head + count) % CAPACITY] = item;
    count++;
    return true;
}

static bool take(int *item)
{
    if (count == 0)
        return false;
    *item = items[head];
    head = (head + 1) % CAPACITY;
    count--;
    return true;
}

int main(void)
{
    int item;
    assert(!take(&item));
    for (int i = 0; i < 6; i++)
        put(i * 10);
    assert(take(&item) && item == 0);
    assert(take(&item) && item == 10); // or: assert(take(&item) && item == 20);
    assert(count == 2);
    return 0;
}
