#ifndef LAPIDARY_STRING
#define LAPIDARY_STRING
#include <stddef.h>
extern void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
extern void *memchr(const void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *), strnlen(const char *, size_t), strspn(const char *, const char *);
extern int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern int strcasecmp(const char *, const char *), strncasecmp(const char *, const char *, size_t);
extern char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *), *strncat(char *, const char *, size_t);
extern char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
extern char *strpbrk(const char *, const char *), *strtok_r(char *, const char *, char **), *strsep(char **, const char *);
extern char *stpcpy(char *, const char *), *strchrnul(const char *, int);
extern size_t strcspn(const char *, const char *);
extern int strcoll(const char *, const char *), ffs(int);
extern char *strdup(const char *), *strerror(int), *strtok(char *, const char *);
#endif
