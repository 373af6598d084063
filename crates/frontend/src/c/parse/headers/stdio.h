#ifndef LAPIDARY_STDIO
#define LAPIDARY_STDIO
#include <stddef.h>
#include <stdarg.h>
typedef struct lapidary_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
extern int printf(const char *, ...), fprintf(FILE *, const char *, ...);
extern int sprintf(char *, const char *, ...), snprintf(char *, size_t, const char *, ...);
extern int scanf(const char *, ...), fscanf(FILE *, const char *, ...), sscanf(const char *, const char *, ...);
extern int vprintf(const char *, va_list), vfprintf(FILE *, const char *, va_list);
extern int puts(const char *), putchar(int), putc(int, FILE *), fputc(int, FILE *), fputs(const char *, FILE *);
extern int getchar(void), getc(FILE *), fgetc(FILE *), fflush(FILE *), fclose(FILE *), feof(FILE *), ferror(FILE *);
extern char *fgets(char *, int, FILE *);
extern FILE *fopen(const char *, const char *);
extern size_t fread(void *, size_t, size_t, FILE *), fwrite(const void *, size_t, size_t, FILE *);
extern void perror(const char *);
#endif
