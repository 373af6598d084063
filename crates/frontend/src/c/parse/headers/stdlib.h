#ifndef LAPIDARY_STDLIB
#define LAPIDARY_STDLIB
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
extern div_t div(int, int);
extern ldiv_t ldiv(long, long);
extern lldiv_t lldiv(long long, long long);
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void free(void *);
extern void abort(void) __attribute__((noreturn));
extern void exit(int) __attribute__((noreturn));
extern void _Exit(int) __attribute__((noreturn));
extern int atexit(void (*)(void));
extern int atoi(const char *), abs(int), rand(void);
extern long atol(const char *), labs(long), strtol(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern long long llabs(long long), atoll(const char *), strtoll(const char *, char **, int);
extern unsigned long long strtoull(const char *, char **, int);
extern double atof(const char *), strtod(const char *, char **);
extern float strtof(const char *, char **);
extern void srand(unsigned);
extern char *getenv(const char *);
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
extern int system(const char *);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
#endif
