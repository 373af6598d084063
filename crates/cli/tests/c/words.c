// expect: safe
extern void reach_error(void);
int main(int argc, char **argv) {
    static int n;
    int x = 0; // see C:\
    x = 1;
    if (x) reach_error();
    char s[] = "\u00e9";
    if (sizeof s != 3 || s[0] != (char)0xc3) reach_error();
    if (argc < 0) reach_error();
    if (n++ == 0 && main(1, 0) != 0) reach_error();
    if ((unsigned long long)(void *)-1 != 0xffffffffffffffffULL) reach_error();
    if (__alignof__(long long) != 8 || _Alignof(long long) != 4) reach_error();
}
