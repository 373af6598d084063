// expect: unsafe
extern void reach_error(void);
void trap(void);
int main(void) {
    trap();
    reach_error();
}
