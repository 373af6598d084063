// expect: safe
extern void reach_error(void);
int x = 1;
int read_x(void) { return x; }
int read_y(void) { extern int y; return y; }
int main(void) {
    int x = 2;
    static int y = 5;
    { extern int x; x = 9; }
    if (read_x() != 9 || x != 2) reach_error();
    { extern int y; if (y != 3) reach_error(); y = 4; }
    if (read_y() != 4 || y != 5) reach_error();
    return 0;
}
int y = 3;
