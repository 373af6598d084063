// expect: unsafe
extern void reach_error(void);
static _Noreturn void die(void) {
    helper();
    reach_error();
    for (;;) ;
}
int main(void) {
    die();
}
