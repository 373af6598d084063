// expect: unknown: unsupported
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int parse(const char *line, char *key, size_t size, long *value)
{
    const char *equals = strchr(line, '=');
    char *end;
    if (equals == NULL || (size_t)(equals - line) >= size)
        return -1;
    memcpy(key, line, equals - line);
    key[equals - line] = '\0';
    errno = 0;
    *value = strtol(equals + 1, &end, 10);
    return errno != 0 || *end != '\0' ? -1 : 0;
}

int main(void)
{
    char key[8];
    long value;
    assert(parse("port=8080", key, sizeof key, &value) == 0);
    assert(value == 8080); // and not: assert(value == 80);
    assert(parse("port", key, sizeof key, &value) == -1);
    return 0;
}
