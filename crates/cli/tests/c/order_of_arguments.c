// expect: unsafe
extern void reach_error(void);
int i;
int f(void) { i = 7; return 1; }
void g(int a, int b) { if (a == 7) reach_error(); }
int main(void) { g(i, f()); }
