// expect: safe
#include <assert.h>
#include <stdlib.h>

enum light { RED, GREEN, YELLOW };

static enum light next(enum light light)
{
    switch (light) {
    case RED: return GREEN;
    case GREEN: return YELLOW;
    case YELLOW: return RED;
    }
    abort();
}

int main(void)
{
    enum light north = RED, east = GREEN;
    for (int tick = 0; tick < 100; tick++) {
        if (north == RED && east == YELLOW) {
            east = next(east);
            north = next(north);
        } else if (north == RED) {
            east = next(east);
        } else if (north == GREEN) {
            north = next(north);
        } else {
            north = next(north);
            east = next(east);
        }
        assert(north == RED || east == RED); // or: assert(north == RED);
    }
    return 0;
}
