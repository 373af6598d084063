// expect: unknown: unsupported: the address of an object without a size is compared
#include <assert.h>
int main(void) {
    int n = 0;
    int a[n], b[n];
    int *volatile p = a, *volatile q = b;
    assert(p != q);
    return 0;
}
