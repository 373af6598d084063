// expect: unknown: unsupported: 
// The access outside of the array is in the body of `strlen`.
extern void reach_error(void);
extern unsigned int strlen(const char *);
int main(void) {
    char name[3] = { 'a', 'b', 'c' };
    if (strlen(name) == 2) reach_error();
    return 0;
}
