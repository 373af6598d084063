#ifndef LAPIDARY_SIGNAL
#define LAPIDARY_SIGNAL
#include <sys/types.h>
typedef int sig_atomic_t;
typedef struct { unsigned long lapidary_bits; } sigset_t;
typedef void (*__sighandler_t)(int);
struct sigaction { void (*sa_handler)(int); sigset_t sa_mask; int sa_flags; };
#define SIG_DFL ((__sighandler_t) 0)
#define SIG_IGN ((__sighandler_t) 1)
#define SIG_ERR ((__sighandler_t) -1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
extern __sighandler_t signal(int, __sighandler_t);
extern int raise(int), kill(pid_t, int), sigaction(int, const struct sigaction *, struct sigaction *);
extern int sigemptyset(sigset_t *), sigfillset(sigset_t *), sigaddset(sigset_t *, int), sigdelset(sigset_t *, int);
extern int sigprocmask(int, const sigset_t *, sigset_t *);
#endif
