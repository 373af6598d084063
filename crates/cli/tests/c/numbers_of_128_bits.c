// expect: safe
// bits: 64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned __int128 most = -1, n = (unsigned)__VERIFIER_nondet_int();
    if (!(n < (unsigned __int128)-1)) reach_error();
    if (!((unsigned __int128)-1 > 5)) reach_error();
    if ((unsigned __int128)-1 / 2 == 0) reach_error();
    if (((unsigned __int128)-1 >> 127) != 1) reach_error();
    if (most != (unsigned __int128)-1) reach_error();
    if (-1 > 18446744073709551615) reach_error();
    return 0;
}
