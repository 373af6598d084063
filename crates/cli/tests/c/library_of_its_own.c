// expect: unsafe
// A body in the program is the one that is called.
extern void reach_error(void);
extern int atoi(const char *);
static unsigned int strlen(const char *text) { return 7; }
int main(void) {
    if (strlen("a") + atoi("1") == 8) reach_error();
    return 0;
}
