#ifndef LAPIDARY_SYS_TIME
#define LAPIDARY_SYS_TIME
#include <time.h>
struct timeval { long tv_sec, tv_usec; };
extern int gettimeofday(struct timeval *, void *);
#endif
