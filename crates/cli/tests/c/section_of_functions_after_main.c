// expect: unknown: unsupported: the section `.fini_array.00100` at 3:
extern void reach_error(void);
static void (*p)(void) __attribute__((__section__(".fini_array" ".00100"), used)) = reach_error;
int main(void) { return 0; }
