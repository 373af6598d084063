// expect: safe
// Casts of floating constants are integer constants.
#include <assert.h>
enum { A = (int) 3.9, B = (int) -1.5, C = (_Bool) 0.25 };
int a[(int) 2.5f];
int main(void) {
    int x = (unsigned char) 255.9, y = 16777217.0f;
    switch (A) {
        case (int) 3.5: assert(A == 3 && B == -1 && C == 1 && sizeof(a) == 8); break;
        default: assert(0);
    }
    assert(x == 255 && y == 16777216 && (int) -2147483648.5 == -2147483647 - 1);
    return 0;
}
