// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <time.h>

static int roll(void)
{
    return rand() % 6 + 1;
}

int main(void)
{
    srand((unsigned)time(NULL));
    int a = roll(), b = roll();
    assert(a + b >= 2 && a + b <= 12); // or: assert(a + b > 2);
    return 0;
}
