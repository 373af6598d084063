// expect: safe
// What a pointer to `const` points to may be changed by another one, and so may a structure with a part that is `const`.
#include <assert.h>
struct s { const int a; int b; } s = {1, 2};
static int f(const int x, const int *p) { return x + *p; }
int main(void) {
    int n = 1;
    const int c = 2, *p = &n, *const q = &c;
    int *r = (int *) p;
    *r = 3;
    ((struct s *) &s)->b = 4;
    for (int i = 0; i < 2; i++) {
        const int twice = 2 * i;
        n += twice;
    }
    const int m[n];
    assert(sizeof(m) == 5 * sizeof(int));
    assert(*p == 5 && f(1, q) == 3 && s.b == 4);
    return 0;
}
