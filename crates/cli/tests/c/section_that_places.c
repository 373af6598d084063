// expect: safe
#include <assert.h>
extern int __start_other;
static int __attribute__((section(".init.text"), cold)) f(void) { return 1; }
int x __attribute__((__section__(".data.read_mostly"))) = 1, y __attribute__((section("__param"))) = 2;
int main(void) {
    __start_other = 7;
    assert(f() == 1 && x == 1 && y == 2);
    return 0;
}
