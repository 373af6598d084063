// expect: safe

#include <assert.h>
#include <stdint.h>

extern int8_t sensor_read(void); // undefined: may return any value

int main(void)
{
    int8_t value = sensor_read();
    if (value == INT8_MIN)
        value = INT8_MAX; // -INT8_MIN does not fit into eight bits
    else if (value < 0)
        value = -value;
    assert(value >= 0);
}
