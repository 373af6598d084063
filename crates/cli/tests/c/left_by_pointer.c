// expect: unknown: unsupported: a pointer that has left what it points to at 8:
// A pointer that is moved away from a variable does not point to it any more.
extern void reach_error(void);
int x = 1;
int main(void) {
    int *p = &x;
    p = p + 1;
    if (*p != 1) reach_error();
    return 0;
}
