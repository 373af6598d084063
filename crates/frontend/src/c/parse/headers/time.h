#ifndef LAPIDARY_TIME
#define LAPIDARY_TIME
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
extern time_t time(time_t *);
extern clock_t clock(void);
#define CLOCKS_PER_SEC ((clock_t) 1000000)
#endif
