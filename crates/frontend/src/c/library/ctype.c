/* ctype.h, in the locale "C". */

int isdigit(int letter)
{
    return letter >= '0' && letter <= '9';
}

int islower(int letter)
{
    return letter >= 'a' && letter <= 'z';
}

int isupper(int letter)
{
    return letter >= 'A' && letter <= 'Z';
}

int isalpha(int letter)
{
    return letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z';
}

int isalnum(int letter)
{
    return letter >= '0' && letter <= '9' || letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z';
}

int isblank(int letter)
{
    return letter == ' ' || letter == '\t';
}

int iscntrl(int letter)
{
    return letter >= 0 && letter < 32 || letter == 127;
}

int isgraph(int letter)
{
    return letter > 32 && letter < 127;
}

int isprint(int letter)
{
    return letter >= 32 && letter < 127;
}

int ispunct(int letter)
{
    return letter >= '!' && letter <= '/' || letter >= ':' && letter <= '@' || letter >= '[' && letter <= '`'
        || letter >= '{' && letter <= '~';
}

int isspace(int letter)
{
    return letter == ' ' || letter >= '\t' && letter <= '\r';
}

int isxdigit(int letter)
{
    return letter >= '0' && letter <= '9' || letter >= 'a' && letter <= 'f' || letter >= 'A' && letter <= 'F';
}

int isascii(int letter)
{
    return letter >= 0 && letter <= 127;
}

int tolower(int letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
}

int toupper(int letter)
{
    return letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
}
