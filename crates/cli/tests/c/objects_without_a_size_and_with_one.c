// expect: unknown: unsupported: the address of an object without a size is compared
#include <assert.h>
int a[0], b;
int main(void) {
    int *p = a, *q = &b;
    assert(p != q);
    return 0;
}
