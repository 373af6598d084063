// expect: safe
#include <assert.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static int (*const operations[])(int, int) = { add, subtract, multiply };

int main(void)
{
    int results[3];
    for (int i = 0; i < 3; i++)
        results[i] = operations[i](6, 2);
    assert(results[0] == 8 && results[1] == 4);
    assert(results[2] == 12); // or: assert(results[2] == 3);
    return 0;
}
