// expect: unknown: unsupported: a wide string at 4:
extern void reach_error(void);
int main(void) {
    if (sizeof L"ab" == 12) reach_error();
    return 0;
}
