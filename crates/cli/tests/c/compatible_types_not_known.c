// expect: unknown: unsupported: `__builtin_types_compatible_p` of these types at 6:
// Types that are told apart by C may be the same here.
extern void reach_error(void);
enum e { A };
int main(void) {
    if (__builtin_types_compatible_p(enum e, unsigned)) reach_error();
    return 0;
}
