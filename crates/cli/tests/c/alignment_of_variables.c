// expect: safe
// A variable has the alignment that its declaration asks for, if that is more than its type has.
extern void reach_error(void);
typedef int wide __attribute__((aligned(8)));
int x __attribute__((aligned(16))), y;
wide z;
int main(void) {
    _Alignas(32) char c;
    if (__alignof__(x) != 16 || __alignof__(y) != 4 || __alignof__(z) != 8) reach_error();
    if (__alignof__(c) != 32) reach_error();
    return 0;
}
