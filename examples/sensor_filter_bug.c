// expect: unsafe
//
// A low-pass filter of first order for a sensor, in fixed point:
//
//     output += ALPHA * (sample - output)
//
// Samples and outputs are Q15: the `int16_t` n stands for n / 32768. ALPHA is 3277 / 32768, about 0.1.
//
// The bug: the difference of two Q15 numbers needs 17 bits. If the sample is far from the output, the
// difference overflows and has the wrong sign. The output then moves away from the sample.

#include <assert.h>
#include <stdint.h>

enum { ALPHA = 3277, SHIFT = 15 };

// The hardware. An undefined function may return any value.
extern int16_t adc_read(void);
extern void dac_write(int16_t value);

static int16_t filter(int16_t output, int16_t sample)
{
    int16_t error = sample - output;
    int32_t change = ((int32_t)error * ALPHA) >> SHIFT;
    return output + change;
}

// Whether b is between a and c, or equal to one of them.
static int is_between(int16_t a, int16_t b, int16_t c)
{
    return (a <= b && b <= c) || (c <= b && b <= a);
}

int main(void)
{
    int16_t output = adc_read(); // starts settled
    for (;;) {
        int16_t sample = adc_read();
        int16_t next = filter(output, sample);
        assert(is_between(output, next, sample)); // no overshoot
        output = next;
        dac_write(output);
    }
}
