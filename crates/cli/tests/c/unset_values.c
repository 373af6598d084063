// expect: unsafe
// A variable without a value has any value; the number of arguments is not negative.
extern void reach_error(void);
int main(int argc, char **argv) {
    int x;
    if (argc < 0) return 0;
    if (x == 12345) reach_error();
    return 0;
}
