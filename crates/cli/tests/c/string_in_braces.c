// expect: safe
// A string may stand in braces of its own.
extern void reach_error(void);
char a[] = {"abc"};
char b[5] = {"ab",};
char c[2][3] = {{"ab"}, "c"};
int main(void) {
    if (sizeof a != 4 || a[0] != 'a' || a[2] != 'c' || a[3] != 0) reach_error();
    if (b[1] != 'b' || b[2] != 0 || b[4] != 0) reach_error();
    if (c[0][1] != 'b' || c[1][0] != 'c' || c[1][2] != 0) reach_error();
    return 0;
}
