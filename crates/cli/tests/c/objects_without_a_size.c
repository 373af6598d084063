// expect: unknown: unsupported: the address of an object without a size is compared
#include <assert.h>
struct E {};
int main(void) {
    struct E a, b;
    void *volatile p = &a, *volatile q = &b;
    assert(p != q);
    return 0;
}
