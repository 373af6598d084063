// expect: safe
// An alignment that a member asks for holds, even if it is that of its type outside of structures.
extern void reach_error(void);
struct a { char c; long long x __attribute__((aligned(8))); };
struct b { char c; double x __attribute__((aligned(8))); };
struct c { char c; long long x; };
int main(void) {
    if (sizeof(struct a) != 16) reach_error();
    if (sizeof(struct b) != 16) reach_error();
    if (sizeof(struct c) != 12) reach_error();
    return 0;
}
