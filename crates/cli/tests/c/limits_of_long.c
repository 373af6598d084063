// expect: safe
#include <limits.h>
extern void reach_error(void);
int main(void) {
    if (LONG_MIN >= 0 || LONG_MAX + 0u != 0x7fffffff) reach_error();
    if (INT_MIN != -2147483647 - 1 || ULONG_MAX != -1ul) reach_error();
    if (LLONG_MIN >= 0 || LLONG_MAX != 0x7fffffffffffffff) reach_error();
    return 0;
}
