// expect: safe
#include <assert.h>

static int find(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int a[] = { 1, 3, 5, 7, 9, 11 };
    assert(find(a, 6, 7) == 3); // or: assert(find(a, 6, 8) == 3);
    assert(find(a, 6, 2) == -1);
    return 0;
}
