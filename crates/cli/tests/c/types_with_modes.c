// expect: safe
// Modes, labels in assembly, qualifiers in arrays, atomic types, declarations that say more later.
extern void reach_error(void);
typedef unsigned q __attribute__((mode(QI)));
typedef int h __attribute__((mode(__HI__)));
typedef unsigned s __attribute__((mode(SI)));
typedef int d __attribute__((mode(__DI__)));
typedef int w __attribute__((mode(word)));
extern int table[];
int table[3];
extern int table[];
int renamed(int) __asm__("other_name");
int renamed(int x) { return x + 1; }
int sum(int n, int a[static 2], const int b[const]) { return n + a[0] + b[1]; }
int pick(const int x, int (*f)(const int), int (not_grouped)) { return f(x) + not_grouped; }
_Atomic(int) atomic = 3;
__extension__ typedef long long wide;
_Static_assert((sizeof(wide) == (8)), "wide");
struct __attribute__((aligned)) most { char c; };
int *const volatile constant = &table[1];
int main(void) {
    if (sizeof(q) != 1 || sizeof(h) != 2 || sizeof(s) != 4 || sizeof(d) != 8 || sizeof(w) != sizeof(long)) reach_error();
    if ((q) -1 != 255 || (h) 65535 != -1 || (s) -1 < 0 || (d) 1 << 40 < 0 || sizeof table != 12) reach_error();
    if (renamed(1) != 2 || sum(1, (int[]) {2, 3}, (int[]) {4, 5}) != 8 || pick(4, renamed, 5) != 10) reach_error();
    if (atomic != 3 || sizeof(struct most) != 16 || *constant != 0) reach_error();
    return 0;
}
