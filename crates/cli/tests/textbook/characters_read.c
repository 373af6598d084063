// expect: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c, digits = 0, others = 0;
    while ((c = getchar()) != EOF && digits + others < 5) {
        if (c >= '0' && c <= '9')
            digits++;
        else
            others++;
    }
    assert(digits + others <= 5); // or: assert(digits < 5);
    return 0;
}
