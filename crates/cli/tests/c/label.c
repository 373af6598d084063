// expect: unsafe
extern int nondet(void);
int main(void) {
    if (nondet() == 17) {
ERROR:  return 1;
    }
    return 0;
}
