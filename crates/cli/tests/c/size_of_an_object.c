// expect: safe
// The argument is not evaluated.
#include <assert.h>
int main(void) {
    int x = 0;
    __builtin_object_size((x++, (char *) 0), 0);
    assert(x == 0);
    return 0;
}
