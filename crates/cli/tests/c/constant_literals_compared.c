// expect: unknown: unsupported: addresses of different strings are compared
// Compound literals that are `const` may share memory.
#include <assert.h>
int main(void) {
    assert((const char[]){"abc"} != (const char[]){"abc"});
    return 0;
}
