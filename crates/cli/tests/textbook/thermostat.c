// expect: safe
#include <assert.h>

extern int temperature(void);
extern int is_running(void);

int main(void)
{
    int heating = 0;
    while (is_running()) {
        int t = temperature();
        if (t < 18)
            heating = 1;
        else if (t > 22)
            heating = 0;
        assert(!(heating && t > 22)); // or: assert(!(heating && t > 18));
    }
    return 0;
}
