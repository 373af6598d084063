// expect: safe
#include <assert.h>
#include <ctype.h>

static const char *input;

static int expression(void);

static int factor(void)
{
    int value = 0;
    if (*input == '(') {
        input++;
        value = expression();
        input++;
        return value;
    }
    while (isdigit(*input))
        value = value * 10 + (*input++ - '0');
    return value;
}

static int term(void)
{
    int value = factor();
    while (*input == '*') {
        input++;
        value *= factor();
    }
    return value;
}

static int expression(void)
{
    int value = term();
    while (*input == '+' || *input == '-') {
        if (*input++ == '+')
            value += term();
        else
            value -= term();
    }
    return value;
}

int main(void)
{
    input = "2+3*4-1";
    assert(expression() == 13); // or: assert(expression() == 19);
    return 0;
}
