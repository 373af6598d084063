// expect: unsafe
// The other branch of a call writes what is read beside the call.
extern void reach_error(void);
int i;
int f(int c) { if (c) c = 1; else i = 7; return 1; }
int main(void) {
    int v = 0;
    v = i + f(0) * 10;
    if (v == 17) reach_error();
    return 0;
}
