// expect: safe
_Pragma("pack(1)") struct s { char c; int x; };
extern void reach_error(void);
int main(void) {
    if (sizeof(struct s) != 5) reach_error();
    return 0;
}
