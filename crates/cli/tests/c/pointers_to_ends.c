// expect: unknown: unsupported: the end of an object is compared with another object at 5:
extern void reach_error(void);
int a[4], b[4];
int main(void) {
    if (a + 4 == b) reach_error();
    if (b + 4 == a) reach_error();
}
