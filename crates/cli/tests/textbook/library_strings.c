// expect: safe
// The bodies of the library are ours, with the types that the program declares.
extern void reach_error(void);
typedef unsigned int size_t;
extern size_t strlen(const char *), strcspn(const char *, const char *);
extern char *strchr(const char *, int), *strtok(char *, const char *);
extern int strcmp(const char *, const char *), isdigit(int), atoi(const char *);
extern long strtol(const char *, char **, int);
extern int errno;
int main(void) {
    char line[] = "x=12;y";
    char *end;
    if (strlen(line) != 6 || strcspn(line, ";=") != 1) reach_error();
    if (*strchr(line, '=') != '=' || strchr(line, 'z')) reach_error();
    if (strcmp("abc", "abd") >= 0 || strcmp("", "") != 0) reach_error();
    if (!isdigit(line[2]) || atoi(line + 2) != 12) reach_error();
    errno = 0;
    if (strtol("99999999999", &end, 10) != 2147483647L || errno != 34 || *end) reach_error();
    if (strtok(line, ";") != line || line[4] != 0) reach_error();
    if (*strtok(0, ";") != 'y' || strtok(0, ";")) reach_error();
    return 0;
}
