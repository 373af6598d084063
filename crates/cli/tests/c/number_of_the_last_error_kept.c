// expect: safe
// Functions of the program do not set `errno`, and a library's function does nothing to a variable that is only called so.
#include <assert.h>
extern int errno;
extern void elsewhere(int);
static int f(void) {
    int errno = 3;
    puts("x");
    return errno;
}
int main(void) {
    errno = 7;
    elsewhere(1);
    assert(errno == 7 && f() == 3);
    return 0;
}
