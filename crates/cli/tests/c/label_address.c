// expect: unknown: unsupported: the address of a label
// A jump to an address.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    void *to = &&end;
    goto *to;
    x = 3;
end:
    if (x == 3) reach_error();
    return 0;
}
