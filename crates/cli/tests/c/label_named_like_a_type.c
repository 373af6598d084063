// expect: safe
// Labels have names of their own.
extern void reach_error(void);
typedef int type;
int main(void) {
    type x = 1;
    goto type;
    x = 2;
type:
    if (x != 1) reach_error();
    return 0;
}
