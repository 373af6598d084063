// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <string.h>

static bool is_palindrome(const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n / 2; i++)
        if (text[i] != text[n - 1 - i])
            return false;
    return true;
}

int main(void)
{
    assert(is_palindrome("level"));
    assert(!is_palindrome("levels")); // or: assert(is_palindrome("levels"));
    return 0;
}
