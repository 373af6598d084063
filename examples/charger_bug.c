// expect: unsafe
//
// The state machine of a battery charger, called every second. It charges gently until the battery
// has 3.0 V, then with full current until it has 4.2 V. A battery that is too hot or too cold is
// not charged, and one that takes too long is faulty.
//
// The bug: FAST looks at the voltage before the temperature. A battery that becomes cold and weak in
// the same second is charged gently, and must not be charged at all.

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum state { IDLE, PRECHARGE, FAST, DONE, FAULT };

enum {
    FULL_MV = 4200,
    LOW_MV = 3000,
    COLDEST = 0,
    HOTTEST = 45,
    PRECHARGE_MA = 100,
    FAST_MA = 1000,
    LONGEST_S = 3600
};

// The hardware. An undefined function may return any value.
extern bool is_plugged_in(void);
extern uint16_t battery_millivolts(void);
extern int8_t battery_celsius(void);

static enum state state = IDLE;
static uint16_t current_ma;
static uint16_t seconds;

static void enter(enum state next, uint16_t ma)
{
    state = next;
    current_ma = ma;
    seconds = 0;
}

static void step(bool plugged, uint16_t mv, int8_t celsius)
{
    bool is_good = COLDEST <= celsius && celsius <= HOTTEST;
    if (!plugged) {
        enter(IDLE, 0);
        return;
    }
    switch (state) {
    case IDLE:
        if (is_good && mv < FULL_MV)
            enter(PRECHARGE, PRECHARGE_MA);
        break;
    case PRECHARGE:
        if (!is_good || ++seconds > LONGEST_S)
            enter(FAULT, 0);
        else if (mv >= LOW_MV)
            enter(FAST, FAST_MA);
        break;
    case FAST:
        if (mv >= FULL_MV)
            enter(DONE, 0);
        else if (mv < LOW_MV)
            enter(PRECHARGE, PRECHARGE_MA);
        else if (!is_good || ++seconds > LONGEST_S)
            enter(FAULT, 0);
        break;
    case DONE:
        if (mv < FULL_MV - 200 && is_good)
            enter(PRECHARGE, PRECHARGE_MA);
        break;
    case FAULT: // until it is unplugged
        break;
    }
}

int main(void)
{
    for (;;) {
        bool plugged = is_plugged_in();
        uint16_t mv = battery_millivolts();
        int8_t celsius = battery_celsius();
        step(plugged, mv, celsius);
        bool is_good = COLDEST <= celsius && celsius <= HOTTEST;
        assert(current_ma == 0 || (plugged && is_good));
        assert((current_ma == FAST_MA) == (state == FAST));
        assert(seconds <= LONGEST_S + 1);
    }
}
