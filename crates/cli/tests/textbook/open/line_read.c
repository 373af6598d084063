// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n')
        line[--length] = '\0';
    assert(length < sizeof line); // or: assert(length < 7);
    return 0;
}
