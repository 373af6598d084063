// expect: unsafe
extern void reach_error(void);
int g = 1;
int next(void) { return g++; }
int main(void) {
    int v[2] = {0, 0};
    v[next() & 1] = 6 / g;
    if (v[1] == 6) reach_error();
}
