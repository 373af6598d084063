// expect: safe
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static uint16_t checksum(const uint8_t *data, size_t size)
{
    uint16_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint16_t)(sum + data[i]);
    return (uint16_t)~sum;
}

int main(void)
{
    uint8_t frame[4] = { 0x10, 0x20, 0x30, 0xFF };
    uint16_t good = checksum(frame, sizeof frame);
    frame[2] ^= 1;
    assert(checksum(frame, sizeof frame) != good); // or: assert(checksum(frame, sizeof frame) == good);
    return 0;
}
