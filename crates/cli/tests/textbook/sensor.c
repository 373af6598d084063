// expect: safe
#include <assert.h>
#include <stdint.h>

extern int read_sensor(void);

#define SAMPLES 4

int main(void)
{
    int samples[SAMPLES];
    int total = 0;
    for (int i = 0; i < SAMPLES; i++) {
        int raw = read_sensor();
        if (raw < 0)
            raw = 0;
        if (raw > 1023)
            raw = 1023;
        samples[i] = raw;
        total += raw;
    }
    int average = total / SAMPLES;
    assert(average >= 0 && average <= 1023); // or: assert(average <= 1000);
    return samples[0] > 0 ? 0 : 1;
}
