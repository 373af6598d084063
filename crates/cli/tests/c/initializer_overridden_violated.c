// expect: unsafe
// The second initialiser of the row makes the element zero.
extern void reach_error(void);
int main(void) {
    int a[2][2] = {[0] = {1, 2}, [0] = {3}};
    if (a[0][1] == 0) reach_error();
    return 0;
}
