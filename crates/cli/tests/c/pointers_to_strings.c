// expect: unknown: unsupported: addresses of different strings are compared at 4:
extern void reach_error(void);
int main(void) {
    if ("ab" == "ab") reach_error();
}
