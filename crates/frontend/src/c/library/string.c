/* string.h: bodies that read and write byte by byte, with indices, as the model follows these better than moved pointers. */

lapidary_size strlen(const char *text)
{
    lapidary_size n = 0;
    while (text[n] != 0)
        n++;
    return n;
}

lapidary_size strnlen(const char *text, lapidary_size most)
{
    lapidary_size n = 0;
    while (n < most && text[n] != 0)
        n++;
    return n;
}

int strcmp(const char *left, const char *right)
{
    lapidary_size i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

int strncmp(const char *left, const char *right, lapidary_size most)
{
    lapidary_size i = 0;
    while (i < most && left[i] != 0 && left[i] == right[i])
        i++;
    return i < most ? (unsigned char)left[i] - (unsigned char)right[i] : 0;
}

extern int lapidary_lower(int letter);
int strcasecmp(const char *left, const char *right)
{
    lapidary_size i = 0;
    while (left[i] != 0 && lapidary_lower((unsigned char)left[i]) == lapidary_lower((unsigned char)right[i]))
        i++;
    return lapidary_lower((unsigned char)left[i]) - lapidary_lower((unsigned char)right[i]);
}

extern int lapidary_lower(int letter);
int strncasecmp(const char *left, const char *right, lapidary_size most)
{
    lapidary_size i = 0;
    while (i < most && left[i] != 0
           && lapidary_lower((unsigned char)left[i]) == lapidary_lower((unsigned char)right[i]))
        i++;
    return i < most ? lapidary_lower((unsigned char)left[i]) - lapidary_lower((unsigned char)right[i]) : 0;
}

char *strcpy(char *to, const char *from)
{
    lapidary_size i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to;
}

char *stpcpy(char *to, const char *from)
{
    lapidary_size i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return &to[i];
}

char *strncpy(char *to, const char *from, lapidary_size most)
{
    lapidary_size i = 0;
    while (i < most && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < most) {
        to[i] = 0;
        i++;
    }
    return to;
}

char *strcat(char *to, const char *from)
{
    lapidary_size end = 0, i = 0;
    while (to[end] != 0)
        end++;
    while (from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

char *strncat(char *to, const char *from, lapidary_size most)
{
    lapidary_size end = 0, i = 0;
    while (to[end] != 0)
        end++;
    while (i < most && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

char *strchr(const char *text, int letter)
{
    lapidary_size i = 0;
    while (text[i] != 0 && text[i] != (char)letter)
        i++;
    return text[i] == (char)letter ? (char *)&text[i] : (char *)0;
}

char *strrchr(const char *text, int letter)
{
    lapidary_size i = 0, last = 0;
    int found = 0;
    for (;;) {
        if (text[i] == (char)letter) {
            last = i;
            found = 1;
        }
        if (text[i] == 0)
            break;
        i++;
    }
    return found ? (char *)&text[last] : (char *)0;
}

char *strchrnul(const char *text, int letter)
{
    lapidary_size i = 0;
    while (text[i] != 0 && text[i] != (char)letter)
        i++;
    return (char *)&text[i];
}

char *strstr(const char *text, const char *part)
{
    lapidary_size i = 0, n;
    for (;;) {
        n = 0;
        while (part[n] != 0 && text[i + n] == part[n])
            n++;
        if (part[n] == 0)
            return (char *)&text[i];
        if (text[i] == 0)
            return (char *)0;
        i++;
    }
}

extern int lapidary_is_among(char letter, const char *letters);
lapidary_size strspn(const char *text, const char *letters)
{
    lapidary_size i = 0;
    while (text[i] != 0 && lapidary_is_among(text[i], letters))
        i++;
    return i;
}

extern int lapidary_is_among(char letter, const char *letters);
lapidary_size strcspn(const char *text, const char *letters)
{
    lapidary_size i = 0;
    while (text[i] != 0 && !lapidary_is_among(text[i], letters))
        i++;
    return i;
}

extern int lapidary_is_among(char letter, const char *letters);
char *strpbrk(const char *text, const char *letters)
{
    lapidary_size i = 0;
    while (text[i] != 0 && !lapidary_is_among(text[i], letters))
        i++;
    return text[i] != 0 ? (char *)&text[i] : (char *)0;
}

extern char *strtok_r(char *text, const char *letters, char **rest);
char *strtok(char *text, const char *letters)
{
    static char *rest;
    return strtok_r(text, letters, &rest);
}

extern int lapidary_is_among(char letter, const char *letters);
char *strtok_r(char *text, const char *letters, char **rest)
{
    lapidary_size start = 0, end;
    if (text == 0)
        text = *rest;
    if (text == 0)
        return (char *)0;
    while (text[start] != 0 && lapidary_is_among(text[start], letters))
        start++;
    if (text[start] == 0) {
        *rest = &text[start];
        return (char *)0;
    }
    end = start;
    while (text[end] != 0 && !lapidary_is_among(text[end], letters))
        end++;
    if (text[end] != 0) {
        text[end] = 0;
        end++;
    }
    *rest = &text[end];
    return &text[start];
}

extern int lapidary_is_among(char letter, const char *letters);
char *strsep(char **text, const char *letters)
{
    char *start = *text;
    lapidary_size end = 0;
    if (start == 0)
        return (char *)0;
    while (start[end] != 0 && !lapidary_is_among(start[end], letters))
        end++;
    if (start[end] != 0) {
        start[end] = 0;
        *text = &start[end + 1];
    } else {
        *text = (char *)0;
    }
    return start;
}

int lapidary_is_among(char letter, const char *letters)
{
    lapidary_size i = 0;
    while (letters[i] != 0 && letters[i] != letter)
        i++;
    return letters[i] != 0;
}

int lapidary_lower(int letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
}

void *memchr(const void *memory, int byte, lapidary_size size)
{
    const unsigned char *bytes = (const unsigned char *)memory;
    lapidary_size i = 0;
    while (i < size && bytes[i] != (unsigned char)byte)
        i++;
    return i < size ? (void *)&bytes[i] : (void *)0;
}

int memcmp(const void *left, const void *right, lapidary_size size)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    lapidary_size i = 0;
    while (i < size && a[i] == b[i])
        i++;
    return i < size ? a[i] - b[i] : 0;
}
