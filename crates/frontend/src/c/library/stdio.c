/* stdio.h: input is any input. */

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned char __VERIFIER_nondet_lapidary_uchar(void);
int getchar(void)
{
    unsigned char letter = __VERIFIER_nondet_lapidary_uchar();
    return __VERIFIER_nondet_lapidary_int() != 0 ? letter : -1;
}

extern int getchar(void);
int getc(void *stream)
{
    return getchar();
}

extern int getchar(void);
int fgetc(void *stream)
{
    return getchar();
}

/* At the end of the input before any character, and after an error, there is no line. */
extern int getchar(void);
extern int __VERIFIER_nondet_lapidary_int(void);
char *fgets(char *to, int size, void *stream)
{
    int n = 0, letter = 0;
    if (size <= 0)
        return (char *)0;
    while (n < size - 1 && letter != '\n') {
        letter = getchar();
        if (letter == -1) {
            if (n == 0 || __VERIFIER_nondet_lapidary_int() != 0)
                return (char *)0;
            break;
        }
        to[n] = (char)letter;
        n++;
    }
    to[n] = 0;
    return to;
}

/* A call of `scanf` is a call of one of these for each item. The state is the number of items read, or less than 0 after the
   first that does not match. */
extern int __VERIFIER_nondet_lapidary_int(void);
int lapidary_scan_end(int state)
{
    if (state >= 0)
        return state;
    return state == -1 && __VERIFIER_nondet_lapidary_int() != 0 ? -1 : -state - 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned char __VERIFIER_nondet_lapidary_uchar(void);
int lapidary_scan_word(int state, char *to, int most)
{
    int n = 0;
    char letter;
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    do {
        letter = (char)__VERIFIER_nondet_lapidary_uchar();
        if (letter == ' ' || letter >= '\t' && letter <= '\r')
            break;
        to[n] = letter;
        n++;
    } while (n != most && __VERIFIER_nondet_lapidary_int() != 0);
    if (n == 0)
        return -state - 1;
    to[n] = 0;
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern signed char __VERIFIER_nondet_lapidary_schar(void);
int lapidary_scan_schar(int state, signed char *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_schar();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned char __VERIFIER_nondet_lapidary_uchar(void);
int lapidary_scan_uchar(int state, unsigned char *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_uchar();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern short __VERIFIER_nondet_lapidary_short(void);
int lapidary_scan_short(int state, short *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_short();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned short __VERIFIER_nondet_lapidary_ushort(void);
int lapidary_scan_ushort(int state, unsigned short *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_ushort();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
int lapidary_scan_int(int state, int *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_int();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned int __VERIFIER_nondet_lapidary_uint(void);
int lapidary_scan_uint(int state, unsigned int *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_uint();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern long __VERIFIER_nondet_lapidary_long(void);
int lapidary_scan_long(int state, long *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_long();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned long __VERIFIER_nondet_lapidary_ulong(void);
int lapidary_scan_ulong(int state, unsigned long *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_ulong();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern long long __VERIFIER_nondet_lapidary_llong(void);
int lapidary_scan_llong(int state, long long *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_llong();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern unsigned long long __VERIFIER_nondet_lapidary_ullong(void);
int lapidary_scan_ullong(int state, unsigned long long *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_ullong();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern float __VERIFIER_nondet_lapidary_float(void);
int lapidary_scan_float(int state, float *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_float();
    return state + 1;
}

extern int __VERIFIER_nondet_lapidary_int(void);
extern double __VERIFIER_nondet_lapidary_double(void);
int lapidary_scan_double(int state, double *to)
{
    if (state < 0)
        return state;
    if (__VERIFIER_nondet_lapidary_int() == 0)
        return -state - 1;
    *to = __VERIFIER_nondet_lapidary_double();
    return state + 1;
}
