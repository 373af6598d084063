/* stdlib.h. The value of a call whose behaviour is undefined is the result of the overflow in the body. */

int abs(int number)
{
    return number < 0 ? -number : number;
}

long labs(long number)
{
    return number < 0 ? -number : number;
}

long long llabs(long long number)
{
    return number < 0 ? -number : number;
}

lapidary_intmax imaxabs(lapidary_intmax number)
{
    return number < 0 ? -number : number;
}

__typeof__(div(0, 0)) div(int number, int by)
{
    __typeof__(div(0, 0)) result;
    result.quot = number / by;
    result.rem = number % by;
    return result;
}

__typeof__(ldiv(0, 0)) ldiv(long number, long by)
{
    __typeof__(ldiv(0, 0)) result;
    result.quot = number / by;
    result.rem = number % by;
    return result;
}

__typeof__(lldiv(0, 0)) lldiv(long long number, long long by)
{
    __typeof__(lldiv(0, 0)) result;
    result.quot = number / by;
    result.rem = number % by;
    return result;
}

int atoi(const char *text)
{
    lapidary_size i = 0;
    int value = 0, is_negative = 0;
    while (text[i] == ' ' || text[i] >= '\t' && text[i] <= '\r')
        i++;
    if (text[i] == '-' || text[i] == '+') {
        is_negative = text[i] == '-';
        i++;
    }
    while (text[i] >= '0' && text[i] <= '9') {
        value = is_negative ? value * 10 - (text[i] - '0') : value * 10 + (text[i] - '0');
        i++;
    }
    return value;
}

long atol(const char *text)
{
    lapidary_size i = 0;
    long value = 0;
    int is_negative = 0;
    while (text[i] == ' ' || text[i] >= '\t' && text[i] <= '\r')
        i++;
    if (text[i] == '-' || text[i] == '+') {
        is_negative = text[i] == '-';
        i++;
    }
    while (text[i] >= '0' && text[i] <= '9') {
        value = is_negative ? value * 10 - (text[i] - '0') : value * 10 + (text[i] - '0');
        i++;
    }
    return value;
}

long long atoll(const char *text)
{
    lapidary_size i = 0;
    long long value = 0;
    int is_negative = 0;
    while (text[i] == ' ' || text[i] >= '\t' && text[i] <= '\r')
        i++;
    if (text[i] == '-' || text[i] == '+') {
        is_negative = text[i] == '-';
        i++;
    }
    while (text[i] >= '0' && text[i] <= '9') {
        value = is_negative ? value * 10 - (text[i] - '0') : value * 10 + (text[i] - '0');
        i++;
    }
    return value;
}

extern unsigned long long lapidary_number(const char *text, char **end, int base, unsigned long long most,
                                          unsigned long long least, int is_signed);
long strtol(const char *text, char **end, int base)
{
    unsigned long long most = (unsigned long)-1 / 2;
    return (long)lapidary_number(text, end, base, most, most + 1, 1);
}

extern unsigned long long lapidary_number(const char *text, char **end, int base, unsigned long long most,
                                          unsigned long long least, int is_signed);
long long strtoll(const char *text, char **end, int base)
{
    unsigned long long most = (unsigned long long)-1 / 2;
    return (long long)lapidary_number(text, end, base, most, most + 1, 1);
}

extern unsigned long long lapidary_number(const char *text, char **end, int base, unsigned long long most,
                                          unsigned long long least, int is_signed);
unsigned long strtoul(const char *text, char **end, int base)
{
    unsigned long long most = (unsigned long)-1;
    return (unsigned long)lapidary_number(text, end, base, most, most, 0);
}

extern unsigned long long lapidary_number(const char *text, char **end, int base, unsigned long long most,
                                          unsigned long long least, int is_signed);
unsigned long long strtoull(const char *text, char **end, int base)
{
    unsigned long long most = (unsigned long long)-1;
    return lapidary_number(text, end, base, most, most, 0);
}

extern int lapidary_digit(int letter);
extern int errno;
unsigned long long lapidary_number(const char *text, char **end, int base, unsigned long long most,
                                   unsigned long long least, int is_signed)
{
    unsigned long long value = 0, limit;
    lapidary_size i = 0;
    int is_negative = 0, is_large = 0, is_number = 0, digit;
    if (base < 0 || base == 1 || base > 36) {
        errno = 22;
        return 0;
    }
    while (text[i] == ' ' || text[i] >= '\t' && text[i] <= '\r')
        i++;
    if (text[i] == '-' || text[i] == '+') {
        is_negative = text[i] == '-';
        i++;
    }
    if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')
        && lapidary_digit(text[i + 2]) < 16) {
        base = 16;
        i += 2;
    } else if (base == 0) {
        base = text[i] == '0' ? 8 : 10;
    }
    limit = is_negative ? least : most;
    for (;;) {
        digit = lapidary_digit(text[i]);
        if (digit >= base)
            break;
        is_number = 1;
        if (value > (limit - digit) / base)
            is_large = 1;
        else
            value = value * base + digit;
        i++;
    }
    if (end != 0)
        *end = (char *)(is_number ? &text[i] : text);
    if (is_large) {
        errno = 34;
        return is_negative && is_signed ? 0 - limit : limit;
    }
    return is_negative ? 0 - value : value;
}

int lapidary_digit(int letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A' + 10;
    return 99;
}

/* Which of equal elements comes first is not specified. */
extern int __VERIFIER_nondet_lapidary_int(void);
void qsort(lapidary_element *base, lapidary_size n, lapidary_size size, int (*compare)(const void *, const void *))
{
    lapidary_size i, j;
    int order;
    lapidary_element other;
    for (i = 1; i < n; i++) {
        for (j = i; j > 0; j--) {
            order = compare(&base[j - 1], &base[j]);
            if (order < 0 || order == 0 && __VERIFIER_nondet_lapidary_int() == 0)
                break;
            other = base[j];
            base[j] = base[j - 1];
            base[j - 1] = other;
        }
    }
}

/* Nor is it which of equal elements is found. */
extern int __VERIFIER_nondet_lapidary_int(void);
void *bsearch(const void *key, lapidary_element *base, lapidary_size n, lapidary_size size,
              int (*compare)(const void *, const void *))
{
    lapidary_size low = 0, high = n, middle;
    int order;
    while (low < high) {
        middle = low + (high - low) / 2;
        order = compare(key, &base[middle]);
        if (order == 0) {
            while (middle + 1 < n && __VERIFIER_nondet_lapidary_int() != 0 && compare(key, &base[middle + 1]) == 0)
                middle++;
            while (middle > 0 && __VERIFIER_nondet_lapidary_int() != 0 && compare(key, &base[middle - 1]) == 0)
                middle--;
            return &base[middle];
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
