#ifndef LAPIDARY_SYS_WAIT
#define LAPIDARY_SYS_WAIT
#include <sys/types.h>
#define WNOHANG 1
extern pid_t wait(int *), waitpid(pid_t, int *, int);
#endif
