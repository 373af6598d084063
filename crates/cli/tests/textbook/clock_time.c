// expect: safe
#include <assert.h>

typedef struct {
    unsigned char hours, minutes, seconds;
} Time;

static void tick(Time *time)
{
    if (++time->seconds < 60)
        return;
    time->seconds = 0;
    if (++time->minutes < 60)
        return;
    time->minutes = 0;
    if (++time->hours == 24)
        time->hours = 0;
}

int main(void)
{
    Time time = { 23, 59, 58 };
    tick(&time);
    tick(&time);
    assert(time.hours == 0 && time.seconds == 0); // or: assert(time.hours == 24);
    return 0;
}
