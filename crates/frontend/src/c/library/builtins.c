/* Functions that gcc has by names of its own. Those that count the bits of 0 are undefined there: any value. */

lapidary_size __builtin_strlen(const char *text)
{
    lapidary_size n = 0;
    while (text[n] != 0)
        n++;
    return n;
}

extern int strcmp(const char *left, const char *right);
int __builtin_strcmp(const char *left, const char *right)
{
    return strcmp(left, right);
}

extern int strncmp(const char *left, const char *right, lapidary_size most);
int __builtin_strncmp(const char *left, const char *right, lapidary_size most)
{
    return strncmp(left, right, most);
}

extern int memcmp(const void *left, const void *right, lapidary_size size);
int __builtin_memcmp(const void *left, const void *right, lapidary_size size)
{
    return memcmp(left, right, size);
}

extern char *strchr(const char *text, int letter);
char *__builtin_strchr(const char *text, int letter)
{
    return strchr(text, letter);
}

extern char *strrchr(const char *text, int letter);
char *__builtin_strrchr(const char *text, int letter)
{
    return strrchr(text, letter);
}

extern char *strstr(const char *text, const char *part);
char *__builtin_strstr(const char *text, const char *part)
{
    return strstr(text, part);
}

extern char *strcpy(char *to, const char *from);
char *__builtin_strcpy(char *to, const char *from)
{
    return strcpy(to, from);
}

extern char *strncpy(char *to, const char *from, lapidary_size most);
char *__builtin_strncpy(char *to, const char *from, lapidary_size most)
{
    return strncpy(to, from, most);
}

extern char *strcat(char *to, const char *from);
char *__builtin_strcat(char *to, const char *from)
{
    return strcat(to, from);
}

int __builtin_abs(int number)
{
    return number < 0 ? -number : number;
}

long __builtin_labs(long number)
{
    return number < 0 ? -number : number;
}

long long __builtin_llabs(long long number)
{
    return number < 0 ? -number : number;
}

int __builtin_toupper(int letter)
{
    return letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
}

int __builtin_tolower(int letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
}

unsigned short __builtin_bswap16(unsigned short number)
{
    return number % 256 * 256 + number / 256;
}

unsigned int __builtin_bswap32(unsigned int number)
{
    return number % 256 * 16777216 + number / 256 % 256 * 65536 + number / 65536 % 256 * 256 + number / 16777216;
}

extern unsigned int __builtin_bswap32(unsigned int number);
unsigned long long __builtin_bswap64(unsigned long long number)
{
    return (unsigned long long)__builtin_bswap32((unsigned int)number) * 4294967296ull
        + __builtin_bswap32((unsigned int)(number / 4294967296ull));
}

extern int lapidary_ones(unsigned long long number);
int __builtin_popcount(unsigned int number)
{
    return lapidary_ones(number);
}

extern int lapidary_ones(unsigned long long number);
int __builtin_popcountl(unsigned long number)
{
    return lapidary_ones(number);
}

extern int lapidary_ones(unsigned long long number);
int __builtin_popcountll(unsigned long long number)
{
    return lapidary_ones(number);
}

extern int lapidary_ones(unsigned long long number);
int __builtin_parity(unsigned int number)
{
    return lapidary_ones(number) % 2;
}

extern int lapidary_ones(unsigned long long number);
int __builtin_parityl(unsigned long number)
{
    return lapidary_ones(number) % 2;
}

extern int lapidary_ones(unsigned long long number);
int __builtin_parityll(unsigned long long number)
{
    return lapidary_ones(number) % 2;
}

extern int lapidary_length(unsigned long long number);
extern int __VERIFIER_nondet_lapidary_int(void);
int __builtin_clz(unsigned int number)
{
    return number == 0 ? __VERIFIER_nondet_lapidary_int() : 32 - lapidary_length(number);
}

extern int lapidary_length(unsigned long long number);
extern int __VERIFIER_nondet_lapidary_int(void);
int __builtin_clzl(unsigned long number)
{
    return number == 0 ? __VERIFIER_nondet_lapidary_int() : (int)sizeof(number) * 8 - lapidary_length(number);
}

extern int lapidary_length(unsigned long long number);
extern int __VERIFIER_nondet_lapidary_int(void);
int __builtin_clzll(unsigned long long number)
{
    return number == 0 ? __VERIFIER_nondet_lapidary_int() : 64 - lapidary_length(number);
}

extern int lapidary_length(unsigned long long number);
int __builtin_clrsb(int number)
{
    return 31 - lapidary_length(number < 0 ? -(number + 1) : number);
}

extern int lapidary_length(unsigned long long number);
int __builtin_clrsbl(long number)
{
    return (int)sizeof(number) * 8 - 1 - lapidary_length(number < 0 ? -(number + 1) : number);
}

extern int lapidary_length(unsigned long long number);
int __builtin_clrsbll(long long number)
{
    return 63 - lapidary_length(number < 0 ? -(number + 1) : number);
}

extern int lapidary_zeros(unsigned long long number);
extern int __VERIFIER_nondet_lapidary_int(void);
int __builtin_ctz(unsigned int number)
{
    return number == 0 ? __VERIFIER_nondet_lapidary_int() : lapidary_zeros(number);
}

extern int lapidary_zeros(unsigned long long number);
extern int __VERIFIER_nondet_lapidary_int(void);
int __builtin_ctzl(unsigned long number)
{
    return number == 0 ? __VERIFIER_nondet_lapidary_int() : lapidary_zeros(number);
}

extern int lapidary_zeros(unsigned long long number);
extern int __VERIFIER_nondet_lapidary_int(void);
int __builtin_ctzll(unsigned long long number)
{
    return number == 0 ? __VERIFIER_nondet_lapidary_int() : lapidary_zeros(number);
}

extern int lapidary_zeros(unsigned long long number);
int __builtin_ffs(int number)
{
    return number == 0 ? 0 : lapidary_zeros((unsigned int)number) + 1;
}

extern int lapidary_zeros(unsigned long long number);
int __builtin_ffsl(long number)
{
    return number == 0 ? 0 : lapidary_zeros((unsigned long)number) + 1;
}

extern int lapidary_zeros(unsigned long long number);
int __builtin_ffsll(long long number)
{
    return number == 0 ? 0 : lapidary_zeros((unsigned long long)number) + 1;
}

extern int lapidary_zeros(unsigned long long number);
int ffs(int number)
{
    return number == 0 ? 0 : lapidary_zeros((unsigned int)number) + 1;
}

int lapidary_ones(unsigned long long number)
{
    int n = 0;
    while (number != 0) {
        n += (int)(number % 2);
        number /= 2;
    }
    return n;
}

int lapidary_length(unsigned long long number)
{
    int n = 0;
    while (number != 0) {
        n++;
        number /= 2;
    }
    return n;
}

int lapidary_zeros(unsigned long long number)
{
    int n = 0;
    while (number % 2 == 0) {
        n++;
        number /= 2;
    }
    return n;
}

/* The result is computed in a type that has room for it. */
_Bool __builtin_add_overflow(lapidary_left left, lapidary_right right, lapidary_result *result)
{
    lapidary_wide exact = (lapidary_wide)left + (lapidary_wide)right;
    *result = (lapidary_result)exact;
    return (lapidary_wide)*result != exact;
}

_Bool __builtin_sub_overflow(lapidary_left left, lapidary_right right, lapidary_result *result)
{
    lapidary_wide exact = (lapidary_wide)left - (lapidary_wide)right;
    *result = (lapidary_result)exact;
    return (lapidary_wide)*result != exact;
}

_Bool __builtin_mul_overflow(lapidary_left left, lapidary_right right, lapidary_result *result)
{
    lapidary_wide exact = (lapidary_wide)left * (lapidary_wide)right;
    *result = (lapidary_result)exact;
    return (lapidary_wide)*result != exact;
}
