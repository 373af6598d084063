// expect: safe
// A single byte can be allocated.
extern void *malloc(unsigned);
extern void reach_error(void);
int main(void) {
    char *p = malloc(1);
    *p = 3;
    if (*p != 3) reach_error();
    return 0;
}
