// expect: safe
// Numbers and strings are constants for every compiler.
#include <assert.h>
enum { SIX = 6 };
int main(void) {
    int x = 5;
    assert(__builtin_constant_p(5) && __builtin_constant_p(SIX * 2) && __builtin_constant_p(1.5));
    assert(__builtin_constant_p("abc") && __builtin_constant_p(sizeof x));
    int y = __builtin_constant_p(x++);
    assert(x == 5 && (y == 0 || y == 1));
    assert(__builtin_choose_expr(__builtin_constant_p(x), 1, 2) == 2);
    return 0;
}
