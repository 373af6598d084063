// expect: unknown: unsupported: `ext` is not defined and may write to what it is given
extern void reach_error(void);
extern int ext(double);
void h(void) { reach_error(); }
int main(void) {
    union { double d; void (*f)(void); } u;
    u.f = h;
    ext(u.d);
    return 0;
}
