// expect: safe
// bits: 64
#include <stddef.h>
extern void reach_error(void);
struct S { char c; __int128 x; };
struct T { char c; long double d; };
int main(void) {
    if (sizeof(struct S) != 32 || _Alignof(struct T) != 16) reach_error();
    if (sizeof(__float128) != 16 || sizeof(__builtin_va_list) != 24) reach_error();
    if (sizeof(NULL) != sizeof(void *) || sizeof(18446744073709551615) != 16) reach_error();
    return 0;
}
