// expect: safe
extern void reach_error(void);
struct __attribute__((packed)) P { char a; int : 0; char b; };
int main(void) {
    if (sizeof(struct P) != 5) reach_error();
    if (__builtin_offsetof(struct P, b) != 4) reach_error();
    return 0;
}
