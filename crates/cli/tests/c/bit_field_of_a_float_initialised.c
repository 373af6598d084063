// expect: unknown: unsupported: a floating number that is too large for an integer
#include <assert.h>
static struct { int a; unsigned b : 2; } s = {1, {4.0}};
int main(void) {
    assert(s.b == 0);
    return 0;
}
