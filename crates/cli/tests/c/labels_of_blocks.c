// expect: safe
extern void reach_error(void);
int main(void) {
    int n = 0;
    { __label__ out; n = 1; goto out; out: n++; }
    { __label__ out; goto out; n = 50; out: n += 10; }
    int r = ({ __label__ end; int r = 0; if (n == 12) goto end; r = 1; end: r; });
    if (n != 12 || r) reach_error();
    return 0;
}
