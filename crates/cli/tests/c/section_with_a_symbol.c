// expect: unknown: unsupported: `__start_foo`, which is a place in a section, at 4:
// The linker makes a symbol for the start of a section.
extern void reach_error(void);
extern int __start_foo;
int x __attribute__((section("foo"))) = 1;
int main(void) {
    __start_foo = 5;
    if (x == 5) reach_error();
    return 0;
}
