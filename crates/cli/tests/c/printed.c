// expect: safe
// What is printed is only read, and what printing returns does not matter here.
typedef struct file FILE;
extern FILE *stderr;
extern void reach_error(void);
extern int printf(const char *, ...), fprintf(FILE *, const char *, ...), puts(const char *), putchar(int);
int main(void) {
    char text[4] = "abc";
    int n = 3;
    if (printf("%s %d %p 100%%n\n", text, n, &n) < 0) n = 3;
    fprintf(stderr, "%s", text);
    puts(text);
    putchar('a');
    if (n != 3 || text[1] != 'b') reach_error();
    return 0;
}
