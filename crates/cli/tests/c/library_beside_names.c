// expect: safe
// Names of the program mean nothing in the bodies of the library.
extern void reach_error(void);
typedef int text, n, i, left;
enum { right, letter, lapidary_lower };
extern unsigned int strlen(const char *);
extern int strcmp(const char *, const char *);
int main(void) {
    if (strlen("ab") != 2 || strcmp("a", "b") >= 0) reach_error();
    return 0;
}
