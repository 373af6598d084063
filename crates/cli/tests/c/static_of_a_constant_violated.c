// expect: unsafe
#include <assert.h>
static int y;
static const int k = 5;
static int x = k;
int main(void) {
    y = x;
    assert(y != 5);
    return 0;
}
