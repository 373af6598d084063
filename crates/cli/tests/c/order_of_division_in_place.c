// expect: unsafe
extern void reach_error(void);
int z, a[3];
int e(void) { reach_error(); return 0; }
int main(void) {
    a[1 / z] = e();
}
