// expect: safe
extern void reach_error(void);
union { signed char c; unsigned char u; } x;
int main(void) {
    x.c = -1;
    if (x.u != 255) reach_error();
    return 0;
}
