// expect: safe
#include <assert.h>
#include <stdbool.h>

#define LIMIT 20

int main(void)
{
    bool composite[LIMIT] = { false };
    int count = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        for (int j = 2 * i; j < LIMIT; j += i)
            composite[j] = true;
    }
    assert(count == 8); // or: assert(count == 9);
    return 0;
}
