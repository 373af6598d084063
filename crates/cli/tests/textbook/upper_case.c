// expect: safe
#include <assert.h>
#include <ctype.h>
#include <string.h>

static void shout(char *text)
{
    for (int i = 0; text[i] != '\0'; i++)
        text[i] = toupper(text[i]);
}

int main(void)
{
    char text[] = "Hi, you";
    shout(text);
    assert(strcmp(text, "HI, YOU") == 0); // or: assert(strcmp(text, "HI, you") == 0);
    return 0;
}
