// expect: safe
// Allocation may fail outside of the model: then the error is reached.
extern void reach_error(void);
extern void *malloc(unsigned);
int main(void) {
    int *p = malloc(sizeof(int));
    if (!p) reach_error();
    return 0;
}
