// expect: unsafe
// domain: predicate
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float(), y = x + 0.25f;
    if (y == 1.75f && x > 1.0f) reach_error();
    return 0;
}
