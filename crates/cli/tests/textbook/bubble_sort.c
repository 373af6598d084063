// expect: safe
#include <assert.h>

static void sort(int *a, int n)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

int main(void)
{
    int a[] = { 5, 1, 4, 2, 3 };
    sort(a, 5);
    for (int i = 0; i < 4; i++)
        assert(a[i] <= a[i + 1]); // or: assert(a[i] < a[i + 1] - 1);
    return 0;
}
