// expect: unsafe
// A function that is no one's but the program's returns any value.
extern void reach_error(void);
extern int measure(int);
int main(void) {
    if (measure(1) == 42) reach_error();
    return 0;
}
