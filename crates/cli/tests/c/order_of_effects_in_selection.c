// expect: unsafe
// What is selected by writes what is read beside the call.
extern void reach_error(void);
int i;
int f(int c) { switch (i = 7) { case 7: c = 1; } return 1; }
int main(void) {
    int v = 0;
    v = i + f(0) * 10;
    if (v == 17) reach_error();
    return 0;
}
