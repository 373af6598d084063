// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[] = "10,20,12";
    int sum = 0;
    for (char *field = strtok(line, ","); field != NULL; field = strtok(NULL, ","))
        sum += atoi(field);
    assert(sum == 42); // or: assert(sum == 43);
    return 0;
}
