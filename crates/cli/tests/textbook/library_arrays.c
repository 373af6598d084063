// expect: safe
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int descending(const void *a, const void *b)
{
    return *(const short *)b - *(const short *)a;
}

int main(void)
{
    int numbers[] = { 2, 1 };
    short others[] = { 1, 2 };
    unsigned sum;
    qsort(numbers, 2, sizeof numbers[0], compare);
    qsort(others, 2, sizeof others[0], descending);
    assert(numbers[0] == 1 && others[0] == 2); // or: assert(others[0] == 1);
    assert(!__builtin_add_overflow(3u, 4, &sum) && sum == 7);
    assert(__builtin_mul_overflow(300000, 400000, &numbers[0]));
    return 0;
}
