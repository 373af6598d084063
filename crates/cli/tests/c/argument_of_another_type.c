// expect: unknown: unsupported: an argument of another type than the parameter at 7:
// Without a prototype nothing converts the argument.
extern void reach_error(void);
int f(a) long a; { return a == 65536; }
int main(void) {
    int x;
    if (f(&x)) reach_error();
    return 0;
}
