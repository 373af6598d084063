#ifndef LAPIDARY_SETJMP
#define LAPIDARY_SETJMP
typedef struct { long lapidary_registers[8]; } jmp_buf[1], sigjmp_buf[1];
extern int setjmp(jmp_buf), sigsetjmp(sigjmp_buf, int);
extern void longjmp(jmp_buf, int) __attribute__((noreturn));
extern void siglongjmp(sigjmp_buf, int) __attribute__((noreturn));
#endif
