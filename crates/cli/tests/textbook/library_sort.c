// expect: safe
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int a[] = { 4, 1, 3, 2 };
    qsort(a, 4, sizeof a[0], compare);
    assert(a[0] == 1 && a[3] == 4); // or: assert(a[0] == 4);
    return 0;
}
