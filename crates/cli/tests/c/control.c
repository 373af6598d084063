// expect: safe
// All loops, `switch` with fall-through and ranges, `goto` forward and back.
extern void reach_error(void);
int pick(int v) {
    switch (v) {
    case 0: v = 10;
    case 1: return v + 1;
    case 2 ... 4: return 5;
    case -1: break;
    default: return 99;
    }
    return 7;
}
int main(void) {
    int i, n = 0;
    if (pick(0) != 11 || pick(1) != 2 || pick(3) != 5 || pick(-1) != 7 || pick(8) != 99) reach_error();
    for (i = 0; i < 6; i++) {
        if (i == 2) continue;
        if (i == 4) break;
        n += i;
    }
    if (n != 4) reach_error();
    do { n--; } while (n > 2);
    while (1) { if (n++ >= 4) goto out; }
    reach_error();
out:
    if (n != 5) reach_error();
again:
    if (n-- > 0) goto again;
    if (n != -1) reach_error();
    for (int i = 0, j = 3; i < j; i++, j--) n = i;
    if (n != 1) reach_error();
    return 0;
}
