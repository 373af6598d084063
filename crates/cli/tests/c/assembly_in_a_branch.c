// expect: safe
// Assembly without effects is a statement like others.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3) asm volatile("" ::: "memory"); else x = 4;
    if (x < 4) reach_error();
    return 0;
}
