// expect: unknown: unsupported
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d-%d", 12, 34);
    assert(n == 5); // and not: assert(n == 6);
    assert(strcmp(text, "12-34") == 0);
    return 0;
}
