// expect: safe
#include <assert.h>
struct E {} e;
struct { int a[0]; int b; } s;
int main(void) {
    struct E *p = &e;
    assert(p == &e && p != 0 && s.a == &s.b);
    return 0;
}
