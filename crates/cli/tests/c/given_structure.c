// expect: unknown: unsupported: `send` is not defined and may write to what it is given at 9:
// A structure that is passed may hold the address of a variable.
extern void reach_error(void);
struct packet { int *data; };
extern void send(struct packet p);
int main(void) {
    int x = 0;
    struct packet p = { &x };
    send(p);
    if (x) reach_error();
    return 0;
}
