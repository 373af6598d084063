// expect: safe
#include <assert.h>
int main(void) {
    assert((char[]){"abc"} != (char[]){"abc"});
    assert((struct { int a; } *) 0 == 0 && &(int){1} != &(int){1});
    return 0;
}
