// expect: unknown: unsupported: `__builtin_goacc_parlevel_id` at 5:
// The type of its result is not known.
extern void reach_error(void);
int main(void) {
    if (__builtin_goacc_parlevel_id(0)) reach_error();
    return 0;
}
