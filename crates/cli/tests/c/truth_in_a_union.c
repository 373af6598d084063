// expect: safe
// A truth value beside other members.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union { _Bool b; unsigned char c; int n; } u;
typedef char name;
int main(void) {
    signed name = 300;
    u.n = 256;
    u.b = __VERIFIER_nondet_int();
    if (u.b != u.c || u.c > 1 || u.n != 256 + u.b || (u.b ? u.c != 1 : u.c != 0)) reach_error();
    u.c = 1;
    if (!u.b || u.b != 1 || u.b + 1 != 2 || sizeof u.b != 1 || name != 300) reach_error();
    return 0;
}
