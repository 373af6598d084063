/* Calls functions of the system's library and ours with the same random arguments. The first difference ends it with status 1. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef __SIZE_TYPE__ lapidary_size;
typedef __INTMAX_TYPE__ lapidary_intmax;
static int ours_errno;
typedef int lapidary_element;
typedef long lapidary_left, lapidary_right, lapidary_result;
typedef __int128 lapidary_wide;
#define NONE(name, type) type __VERIFIER_nondet_lapidary_##name(void) { return 0; }
NONE(int, int) NONE(uint, unsigned) NONE(schar, signed char) NONE(uchar, unsigned char) NONE(short, short)
NONE(ushort, unsigned short) NONE(long, long) NONE(ulong, unsigned long) NONE(llong, long long)
NONE(ullong, unsigned long long) NONE(float, float) NONE(double, double)
#include "ours.h"
#include "ours.c"

static unsigned long long state = 88172645463325252ull;

static unsigned long long any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Numbers near the ends of types and near zero are frequent. */
static long long number(void)
{
    static const long long ends[] = { 0, 1, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, UINT_MAX, 255, 256, 65535 };
    switch (any() % 4) {
    case 0: return ends[any() % 10] + (long long)(any() % 3) - 1;
    case 1: return (long long)(any() % 512) - 256;
    case 2: return (long long)(any() >> any() % 64);
    default: return (long long)any();
    }
}

enum { ROOM = 48 };

/* A string of few different letters, so that parts and equal strings occur. */
static void text(char *to, int most, const char *letters)
{
    int length = any() % (most + 1), n = strlen(letters), i;
    for (i = 0; i < ROOM; i++)
        to[i] = i < length ? letters[any() % n] : i == length ? 0 : 'q';
}

static void check(const char *name, int is_equal, const char *a, const char *b, long long n)
{
    if (!is_equal) {
        printf("%s differs for \"%s\", \"%s\", %lld\n", name, a, b, n);
        exit(1);
    }
}

static int sign(int number) { return (number > 0) - (number < 0); }
static long offset(const char *at, const char *start) { return at == 0 ? -1 : at - start; }

#define INTO(f, call) \
    do { \
        char x[ROOM], y[ROOM]; \
        char *to, *p, *q; \
        memcpy(x, a, ROOM); \
        memcpy(y, a, ROOM); \
        to = x, p = f call; \
        to = y, q = ours_##f call; \
        check(#f, offset(p, x) == offset(q, y) && memcmp(x, y, ROOM) == 0, a, b, n); \
    } while (0)
#define AT(f, call) check(#f, f call == ours_##f call, a, b, n)
#define SIGN(f, call) check(#f, sign(f call) == sign(ours_##f call), a, b, n)
#define PARSED(f) \
    do { \
        char *p = 0, *q = 0; \
        long long x, y; \
        errno = ours_errno = 0; \
        x = f(a, &p, base); \
        y = ours_##f(a, &q, base); \
        check(#f, x == y && p == q && errno == ours_errno, a, b, base); \
    } while (0)

static void strings(void)
{
    char a[ROOM], b[ROOM], s[ROOM], *p, *q, *r, *t;
    char x[ROOM], y[ROOM];
    lapidary_size n = any() % 14;
    int c = any() % 8 ? "abc,AB\0\xff"[any() % 8] : (int)any(), i;
    text(a, 12, "abcAB,\xff");
    text(b, 4, "abcAB,\xff");
    text(s, 3, ",bA");
    AT(strlen, (a));
    AT(strnlen, (a, n));
    SIGN(strcmp, (a, b));
    SIGN(strncmp, (a, b, n));
    SIGN(strcasecmp, (a, b));
    SIGN(strncasecmp, (a, b, n));
    SIGN(memcmp, (a, b, n));
    AT(memchr, (a, c, n));
    AT(strchr, (a, c));
    AT(strrchr, (a, c));
    AT(strchrnul, (a, c));
    AT(strstr, (a, b));
    AT(strspn, (a, s));
    AT(strcspn, (a, s));
    AT(strpbrk, (a, s));
    INTO(strcpy, (to, b));
    INTO(stpcpy, (to, b));
    INTO(strncpy, (to, b, n));
    INTO(strcat, (to, b));
    INTO(strncat, (to, b, n));
    memcpy(x, a, ROOM);
    memcpy(y, a, ROOM);
    p = x, q = y;
    for (i = 0; i < 4; i++) {
        char *f = strtok(i ? 0 : x, s), *g = ours_strtok(i ? 0 : y, s);
        check("strtok", offset(f, x) == offset(g, y) && memcmp(x, y, ROOM) == 0, a, s, i);
    }
    memcpy(x, a, ROOM);
    memcpy(y, a, ROOM);
    for (i = 0; i < 4; i++) {
        char *f = strsep(&p, s), *g = ours_strsep(&q, s);
        check("strsep", offset(f, x) == offset(g, y) && offset(p, x) == offset(q, y) && memcmp(x, y, ROOM) == 0, a, s, i);
    }
    memcpy(x, a, ROOM);
    memcpy(y, a, ROOM);
    r = t = 0;
    for (i = 0; i < 4; i++) {
        char *f = strtok_r(i ? 0 : x, s, &r), *g = ours_strtok_r(i ? 0 : y, s, &t);
        check("strtok_r", offset(f, x) == offset(g, y) && memcmp(x, y, ROOM) == 0, a, s, i);
    }
}

#define CLASS(f) check(#f, !f(c) == !ours_##f(c), "", "", c)
#define SAME(f, of) check(#f, f(of) == ours_##f(of), "", "", (long long)(of))
#define DIVIDED(f, by) \
    do { \
        __typeof__(f(1, 1)) x = f(n, by), y = ours_##f(n, by); \
        check(#f, x.quot == y.quot && x.rem == y.rem, "", "", n); \
    } while (0)

static void numbers(void)
{
    char a[ROOM], b[ROOM] = "";
    int c = (int)(any() % 257) - 1, base = any() % 40;
    long long n = number(), by = number();
    CLASS(isdigit); CLASS(islower); CLASS(isupper); CLASS(isalpha); CLASS(isalnum); CLASS(isblank); CLASS(iscntrl);
    CLASS(isgraph); CLASS(isprint); CLASS(ispunct); CLASS(isspace); CLASS(isxdigit); CLASS(isascii);
    SAME(tolower, c);
    SAME(toupper, c);
    if ((int)n != INT_MIN) SAME(abs, (int)n);
    if (n != LLONG_MIN) {
        SAME(labs, n);
        SAME(llabs, n);
        SAME(imaxabs, n);
        if ((int)by > 0) DIVIDED(div, (int)by);
        if (by != 0 && n != LLONG_MIN) { DIVIDED(ldiv, by); DIVIDED(lldiv, by); }
    }
    SAME(__builtin_bswap16, n); SAME(__builtin_bswap32, n); SAME(__builtin_bswap64, n);
    SAME(__builtin_popcount, n); SAME(__builtin_popcountl, n); SAME(__builtin_popcountll, n);
    SAME(__builtin_parity, n); SAME(__builtin_parityl, n); SAME(__builtin_parityll, n);
    SAME(__builtin_ffs, n); SAME(__builtin_ffsl, n); SAME(__builtin_ffsll, n); SAME(ffs, n);
    SAME(__builtin_clrsb, n); SAME(__builtin_clrsbl, n); SAME(__builtin_clrsbll, n);
    if ((unsigned)n) { SAME(__builtin_clz, n); SAME(__builtin_ctz, n); }
    if (n) { SAME(__builtin_clzl, n); SAME(__builtin_ctzl, n); SAME(__builtin_clzll, n); SAME(__builtin_ctzll, n); }
    switch (any() % 4) {
    case 0: text(a, 6, " -+0x1f"); break;
    case 1: sprintf(a, " %lld", n); break;
    case 2: sprintf(a, "%llu9", (unsigned long long)n); break;
    default: text(a, 30, "1029873645afzAFZ"); break;
    }
    PARSED(strtol);
    PARSED(strtoll);
    PARSED(strtoul);
    PARSED(strtoull);
    text(a, 9, "1234567890");
    a[any() % 2] = "-+ 1\ta"[any() % 6];
    AT(atoi, (a));
    AT(atol, (a));
    AT(atoll, (a));
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

#define OVERFLOWS(f) \
    do { \
        long x, y; \
        check(#f, f(left, right, &x) == ours_##f(left, right, &y) && x == y, "", "", left); \
    } while (0)

static void arrays(void)
{
    int x[8], y[8], n = any() % 9, i, key = any() % 16;
    long left = number(), right = number();
    void *p, *q;
    for (i = 0; i < n; i++)
        x[i] = y[i] = any() % 2 ? (int)any() : (int)(any() % 16);
    qsort(x, n, sizeof x[0], compare);
    ours_qsort(y, n, sizeof y[0], compare);
    check("qsort", memcmp(x, y, n * sizeof x[0]) == 0, "", "", n);
    p = bsearch(&key, x, n, sizeof x[0], compare);
    q = ours_bsearch(&key, x, n, sizeof x[0], compare);
    check("bsearch", !p == !q && (q == 0 || *(int *)q == key), "", "", key);
    OVERFLOWS(__builtin_add_overflow);
    OVERFLOWS(__builtin_sub_overflow);
    OVERFLOWS(__builtin_mul_overflow);
}

int main(int argc, char **argv)
{
    long calls = argc > 1 ? atol(argv[1]) : 1000, i;
    for (i = 0; i < calls; i++) {
        strings();
        numbers();
        arrays();
    }
    puts("no difference");
    return 0;
}
