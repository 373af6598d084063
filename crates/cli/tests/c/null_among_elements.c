// expect: unknown: unsupported: a null pointer is dereferenced at 8:
// Elements that were not assigned are null.
extern void reach_error(void);
int x;
int *a[2];
int main(void) {
    a[0] = &x;
    *a[1] = 3;
    if (x == 3) reach_error();
    return 0;
}
