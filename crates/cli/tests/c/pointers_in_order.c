// expect: unknown: unsupported: pointers to different objects are compared at 5:
extern void reach_error(void);
int a, b;
int main(void) {
    if (&b < &a) reach_error();
}
