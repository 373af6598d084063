// expect: safe
extern void reach_error(void);
typedef struct { int quot, rem; } div_t;
extern div_t div(int, int);
int main(void) {
    if (div(7, 2).rem == 5) reach_error();
    return 0;
}
