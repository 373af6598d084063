// expect: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    if (n < 0)
        n = 0;
    if (n > 10)
        n = 10;
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    assert(sum <= 55); // or: assert(sum < 55);
    return 0;
}
