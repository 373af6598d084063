// expect: unknown: unsupported: the end of an object is compared with another object at 5:
extern void reach_error(void);
int a, b;
int main(void) {
    if (&a + 1 == &b) reach_error();
}
