// expect: unknown: unsupported: a floating number that is too large for an integer
// A floating number must fit the bits of the field, not those of the type that it is declared with.
#include <assert.h>
int main(void) {
    struct { unsigned b : 1; } s;
    s.b = 2.5;
    assert(s.b == 0);
    return 0;
}
