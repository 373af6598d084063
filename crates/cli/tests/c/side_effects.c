// expect: safe
// Order of side effects, short circuit, comma, conditional, compound assignment, statement expressions.
extern void reach_error(void);
int calls, g = 1;
int bump(int v) { calls++; return v; }
int change(void) { g = 10; return 1; }
int main(void) {
    int a[4] = {1, 2, 3, 4}, i = 0, n;
    a[i++] = 9;
    if (i != 1 || a[0] != 9 || a[1] != 2) reach_error();
    n = g + change();
    if (n != 2 && n != 11 || g != 10) reach_error();
    if (bump(0) && bump(1)) reach_error();
    if (calls != 1) reach_error();
    if (!(bump(1) || bump(1)) || calls != 2) reach_error();
    n = bump(3);
    n = n * bump(4) + 2;
    bump(2);
    if (n != 14 || calls != 5) reach_error();
    n = (i = 7, i + 1);
    if (n != 8 || i-- != 7 || --i != 5) reach_error();
    n = i > 3 ? bump(1) : bump(2);
    if (n != 1 || calls != 6) reach_error();
    n = ({ int q = 3; q <<= 2; q + 1; });
    if (n != 13) reach_error();
    n = 0 ?: 5;
    n -= 2;
    if (n != 3) reach_error();
    return 0;
}
