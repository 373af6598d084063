// expect: safe
extern void reach_error(void);
struct s { int a; };
int main(void) {
    if (!__builtin_types_compatible_p(unsigned, unsigned int)) reach_error();
    if (!__builtin_types_compatible_p(struct s *, struct s *)) reach_error();
    if (__builtin_types_compatible_p(int, long)) reach_error();
    if (__builtin_types_compatible_p(int, struct s)) reach_error();
    return 0;
}
