// expect: unknown: unsupported: a floating number that is too large for an integer
#include <assert.h>
int main(void) {
    struct { int b : 3; } s;
    s.b = 3;
    s.b += 1.5;
    assert(s.b == -4);
    return 0;
}
