// expect: unsafe
// The call changes a local variable by its address.
extern void reach_error(void);
int set(int *p) { *p = 9; return 1; }
int main(void) {
    int x = 0;
    int v = x * 10 + set(&x);
    if (v == 91) reach_error();
}
