/* The error is a failed assertion, as the header has it. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    assert(a != 42);
    return 0;
}
