// expect: safe
// gcc takes variables that are `const` for constants in the initialisers of others.
#include <assert.h>
static int sum;
static const int k = 5;
static int y = k, z = k * 2 + 1;
static const double half = 0.5;
static double more = half + 1;
static int a;
static int *const p = &a;
static int *q = p;
static char c = "yz"[1];
static const struct { int a, b; } s = {1, 2};
int main(void) {
    static int local = s.b;
    sum = y + z;
    assert(sum == 16 && more == 1.5 && q == &a && c == 'z' && local == 2);
    return 0;
}
