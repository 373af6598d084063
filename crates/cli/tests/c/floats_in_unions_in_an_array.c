// expect: unsafe
extern void reach_error(void);
struct W { int t; union { int i; float f; } u; } w[3];
int main(void) {
    for (int k = 0; k < 3; k++) w[k].u.f = 1.0f;
    if (w[1].u.i == 0x3f800000) reach_error();
    return 0;
}
