// expect: safe
extern void reach_error(void);
int main(void) {
    double d = 0.5;
    int x = d > 0.1;
    if (x > 1 || x < 0) reach_error();
    return 0;
}
