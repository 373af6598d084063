#ifndef LAPIDARY_UNISTD
#define LAPIDARY_UNISTD
#include <sys/types.h>
extern unsigned sleep(unsigned);
extern int usleep(unsigned), close(int);
extern ssize_t read(int, void *, size_t), write(int, const void *, size_t);
extern pid_t getpid(void), fork(void);
extern void _exit(int) __attribute__((noreturn));
#endif
