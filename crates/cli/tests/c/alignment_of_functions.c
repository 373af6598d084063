// expect: safe
// Functions and `void` have the size and the alignment of one byte in GNU C.
extern void reach_error(void);
typedef int function(void);
int main(void) {
    if (sizeof(void) != 1 || sizeof(function) != 1) reach_error();
    if (_Alignof(void) != 1) reach_error();
    if (_Alignof(function) != 1) reach_error();
    return 0;
}
