// expect: safe
// bits: 32
extern void reach_error(void);
struct S { int a; char c; long long b : 40; int d; };
int main(void) {
    if (sizeof(struct S) != 16) reach_error();
    if (__builtin_offsetof(struct S, d) != 12) reach_error();
    return 0;
}
