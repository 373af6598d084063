// expect: safe
#include <assert.h>

#define FLOORS 5

extern unsigned request(void);

int main(void)
{
    int floor = 0, doors_open = 1;
    for (;;) {
        int wanted = (int)(request() % FLOORS);
        if (wanted != floor) {
            doors_open = 0;
            floor += wanted > floor ? 1 : -1;
        } else {
            doors_open = 1;
        }
        assert(floor >= 0 && floor < FLOORS); // or: assert(floor < FLOORS - 1);
        assert(wanted == floor || !doors_open);
    }
}
