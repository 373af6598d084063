// expect: unsafe

#include <assert.h>
#include <stdint.h>

extern int8_t sensor_read(void); // undefined: may return any value

int main(void)
{
    int8_t value = sensor_read();
    if (value < 0)
        value = -value;
    assert(value >= 0);
}
