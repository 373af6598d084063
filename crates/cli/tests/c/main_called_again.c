// expect: safe
// The end of `main` returns zero, also from a call of it.
extern void reach_error(void);
int depth;
int main(void) {
    if (depth == 0) {
        depth = 1;
        if (main() != 0) reach_error();
    }
}
