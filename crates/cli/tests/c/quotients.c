// expect: safe
extern void reach_error(void);
typedef struct { int quot, rem; } div_t;
extern div_t div(int, int);
int main(void) {
    div_t both = div(7, 2);
    if (both.quot == 5) reach_error();
    return 0;
}
