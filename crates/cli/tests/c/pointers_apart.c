// expect: unknown: unsupported: the distance of pointers to different objects at 5:
extern void reach_error(void);
int a, b;
int main(void) {
    if (&b - &a == 20) reach_error();
}
