// expect: unsafe
extern void reach_error(void);
int z;
int e(void) { reach_error(); return 0; }
int main(void) {
    return 1 / z + e();
}
