// expect: safe
// They are signed, and the last one of several counts.
#include <assert.h>
int main(void) {
    assert(L'\xffffffff' == -1 && L'\x80000000' < 0 && L'ab' == 'b' && L'a' == 97);
    assert(L'\u00e9' == 0xe9 && sizeof(L'a') == 4 && 'ab' == 'a' * 256 + 'b');
    return 0;
}
