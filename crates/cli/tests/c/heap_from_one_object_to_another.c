// expect: unknown: unsupported: a pointer that is moved far beyond its object at 10:5
// domain: default
// Distances of objects in the model lead nowhere.
extern void reach_error(void);
extern void *malloc(unsigned);
int main(void) {
    int *p[3];
    for (int i = 0; i < 3; i++) { p[i] = malloc(sizeof(int)); *p[i] = i; }
    int *q = p[0];
    q += 16;
    *q = 5;
    return 0;
}
