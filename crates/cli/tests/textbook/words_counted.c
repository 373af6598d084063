// expect: safe
#include <assert.h>
#include <ctype.h>

static int words(const char *text)
{
    int count = 0, inside = 0;
    for (; *text; text++) {
        if (isspace((unsigned char)*text)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}

int main(void)
{
    assert(words("  to be or  not ") == 4); // or: assert(words("  to be or  not ") == 5);
    assert(words("") == 0);
    return 0;
}
