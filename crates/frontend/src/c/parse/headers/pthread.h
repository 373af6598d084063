#ifndef LAPIDARY_PTHREAD
#define LAPIDARY_PTHREAD
#include <stddef.h>
#include <time.h>
typedef unsigned long pthread_t;
typedef struct { int lapidary_state; } pthread_mutex_t, pthread_cond_t, pthread_rwlock_t, pthread_once_t;
typedef struct { int lapidary_state; } pthread_attr_t, pthread_mutexattr_t, pthread_condattr_t;
typedef unsigned pthread_key_t;
#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_ONCE_INIT { 0 }
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **), pthread_detach(pthread_t);
extern void pthread_exit(void *) __attribute__((noreturn));
extern pthread_t pthread_self(void);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *), pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_trylock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *), pthread_cond_destroy(pthread_cond_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *), pthread_cond_signal(pthread_cond_t *), pthread_cond_broadcast(pthread_cond_t *);
#endif
