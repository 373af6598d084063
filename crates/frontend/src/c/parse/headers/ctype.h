#ifndef LAPIDARY_CTYPE
#define LAPIDARY_CTYPE
extern int isalnum(int), isalpha(int), isblank(int), isascii(int), iscntrl(int), isdigit(int), isgraph(int), islower(int);
extern int isprint(int), ispunct(int), isspace(int), isupper(int), isxdigit(int), tolower(int), toupper(int);
#endif
