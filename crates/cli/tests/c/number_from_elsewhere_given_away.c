// expect: safe
// A number that is read elsewhere is not the address of `x`: no number was ever made of that.
extern int *get(void);
extern void use(int);
extern void reach_error(void);
int main(void) {
    int x = 0, *p = &x, number = *get();
    use(number);
    if (*p) reach_error();
    return 0;
}
