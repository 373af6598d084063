// expect: safe
// Sizes are unsigned, those of variable arrays too; a structure is no larger than its parts want.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct one { char a; };
struct three { char a[3]; };
struct padded { char a; short b; char c; };
union both { char a[3]; short b; };
struct nested { char a; struct { int n; }; char b; };
struct unnamed { char a; int : 5; };
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3) return 0;
    int a[n];
    if (sizeof(struct one) != 1 || sizeof(struct three) != 3) reach_error();
    if (sizeof(struct padded) != 6 || sizeof(union both) != 4) reach_error();
    if (_Alignof(struct three) != 1 || _Alignof(struct padded) != 2) reach_error();
    if (sizeof(struct nested) != 12 || sizeof(struct unnamed) != 2 || _Alignof(struct nested) != 4) reach_error();
    if (sizeof a > -1 || sizeof(int) > -1 || sizeof a != 4 * n) reach_error();
    return 0;
}
