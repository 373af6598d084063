// expect: safe
// Without directives of the preprocessor, too.
#include <limits.h>
extern void reach_error(void);
int main(void) {
    int a = __LINE__; int b[__LINE__
        + 1];
    if (a != 6 || sizeof(b) != 7 * sizeof(int) || __FILE__[0] == 0 || MB_LEN_MAX != 16) reach_error();
    return 0;
}
