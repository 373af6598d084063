#ifndef LAPIDARY_SYS_STAT
#define LAPIDARY_SYS_STAT
#include <sys/types.h>
struct stat { unsigned st_mode; off_t st_size; };
extern int stat(const char *, struct stat *), fstat(int, struct stat *), mkdir(const char *, unsigned);
#endif
