// expect: unsafe
extern void reach_error(void);
void die(void) __attribute__((noreturn)), other(void);
int main(void) {
    other();
    reach_error();
}
