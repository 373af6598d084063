// expect: safe
// What is cast first has the type of the cast; `_Bool` takes every number.
#include <assert.h>
struct s { int a; unsigned b : 2; int c : 3; _Bool d : 1; };
int main(void) {
    double x = 2.75;
    struct s s = {1, x, -3.5, 0.25}, t = {.b = (unsigned) 6.5, .c = x};
    assert(s.b == 2 && s.c == -3 && s.d == 1 && t.b == 2 && t.c == 2);
    s.b += 1.25;
    s.c -= 0.5;
    s.c++;
    s.d = 2.5;
    assert(s.b == 3 && s.c == -2 && s.d == 1);
    s.b = (unsigned) 6.5;
    assert(s.b == 2 && (s.c = 3.5) == 3);
    return 0;
}
