// expect: unsafe
// Without optimisation, gcc says that a variable is no constant.
#include <assert.h>
int main(void) {
    int x = 5;
    assert(__builtin_constant_p(x));
    return 0;
}
