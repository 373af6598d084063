// expect: safe
#include <assert.h>
#include <string.h>

int main(void)
{
    char line[32] = "";
    strcat(line, "hello");
    strcat(line, ", ");
    strncat(line, "world!", 5);
    assert(strlen(line) == 12); // or: assert(strlen(line) == 13);
    assert(strcmp(line, "hello, world") == 0);
    return 0;
}
