// expect: safe
#include <assert.h>
int main(void) {
    int n = 2;
    int a[n], b[n];
    int *p = a, *q = b;
    assert(p != q);
    return 0;
}
