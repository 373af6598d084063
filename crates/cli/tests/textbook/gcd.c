// expect: safe
#include <assert.h>

static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int main(void)
{
    assert(gcd(48, 18) == 6); // or: assert(gcd(48, 18) == 3);
    assert(gcd(7, 0) == 7);
    return 0;
}
