// expect: safe
// What a comparison yields is taken for no address.
extern void reach_error(void);
extern void ext(int);
int main(void) {
    int x = 0;
    unsigned long a = (unsigned long) &x;
    ext(a > 1000);
    if (x) reach_error();
    return 0;
}
