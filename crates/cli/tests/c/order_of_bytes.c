// expect: unknown: unsupported: `htons` is not modelled at 5:
extern void reach_error(void);
extern unsigned short htons(unsigned short);
int main(void) {
    if (htons(1) != 256) reach_error();
    return 0;
}
