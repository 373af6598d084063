// expect: safe
#include <assert.h>

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    assert(fibonacci(7) == 13); // or: assert(fibonacci(7) == 12);
    return 0;
}
