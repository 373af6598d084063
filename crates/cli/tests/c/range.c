// expect: safe
// A condition that looks like the range of a type.
extern void reach_error(void);
int main(void) {
    int x = 10;
    if (x >= 0 && x <= 5) reach_error();
    return 0;
}
