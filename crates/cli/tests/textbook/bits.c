// expect: safe
#include <assert.h>
#include <stdint.h>

#define BIT(n) (1u << (n))

static uint8_t reverse(uint8_t b)
{
    uint8_t r = 0;
    for (int i = 0; i < 8; i++)
        if (b & BIT(i))
            r |= BIT(7 - i);
    return r;
}

int main(void)
{
    assert(reverse(0x01) == 0x80);
    assert(reverse(0xA0) == 0x05); // or: assert(reverse(0xA0) == 0x0A);
    assert(__builtin_popcount(0xA5) == 4);
    return 0;
}
