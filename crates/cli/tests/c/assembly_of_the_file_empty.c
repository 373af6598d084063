// expect: safe
// Assembly without an instruction has no effect.
extern void reach_error(void);
asm("");
__asm__ __volatile__(" ");
int x;
int main(void) {
    if (x) reach_error();
    return 0;
}
