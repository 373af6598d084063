// expect: safe
// bits: 64
// Sizes, alignments and signs of the types in 64 bits, in all orders of their words.
extern void reach_error(void);
struct wide { char c; long long x; };
struct real { char c; double x; };
int main(void) {
    if (sizeof(char) != 1 || sizeof(short) != 2 || sizeof(int) != 4 || sizeof(long) != 8 || sizeof(long long) != 8) reach_error();
    if (sizeof(unsigned long) != 8 || sizeof(long unsigned int) != 8 || sizeof(long int) != 8 || sizeof(int long) != 8) reach_error();
    if (sizeof(long long int) != 8 || sizeof(long int long) != 8 || sizeof(unsigned long long) != 8) reach_error();
    if (sizeof(float) != 4 || sizeof(double) != 8 || sizeof(_Bool) != 1 || sizeof(void *) != 8 || sizeof(short int) != 2) reach_error();
    if ((char) -1 > 0 || (signed char) -1 > 0 || (unsigned char) -1 < 0 || (short) -1 > 0 || (unsigned short) -1 != 65535) reach_error();
    if ((unsigned) -1 < 0 || (unsigned long) -1 < 0 || (long) -1 > 0 || (long unsigned long) -1 < 0 || (signed) -1 > 0) reach_error();
    if ((unsigned long) -1 == 4294967295u || (unsigned long) -1 + 1 != 0 || (long long) 1 << 40 < 0) reach_error();
    if (sizeof(struct wide) != 16 || sizeof(struct real) != 16 || _Alignof(long) != 8) reach_error();
    if (sizeof(sizeof(int)) != 8 || sizeof('a') != 4 || sizeof(1u) != 4 || sizeof(4294967295u) != 4 || sizeof(1 + (char) 1) != 4 || sizeof(1l + 1u) != 8) reach_error();
    if (-1l > 1u || 1l << 31 < 0 || 1l << 63 > 0) reach_error();
    return 0;
}
