// expect: safe
// Numbers in all bases and with all suffixes, escapes, several characters, lines that go on.
extern void reach_error(void);
/* A comment that
   goes on. */
/*/ reach_error() /*/
int go_on = \
1 /* inside */ + 1;
int main(void) {
    if (0b101 != 5 || 0B11 != 3 || 0x1F != 31 || 0X1f != 31 || 017 != 15 || 00 != 0 || go_on != 2) reach_error();
    if (sizeof(1u) != 4 || sizeof(1lu) != sizeof(long) || sizeof(1UL) != sizeof(long) || sizeof(1llu) != 8) reach_error();
    if (-1ul < 0 || -1lu < 0 || -1llu < 0 || -1ull < 0 || -1u < 0 || -1l > 0 || -1ll > 0) reach_error();
    if (sizeof(2147483647) != 4 || sizeof(2147483648) != 8 || sizeof(0x80000000) != 4 || 0x80000000 < 0) reach_error();
    if ((long long) 4294967295u != 4294967295LL || (unsigned long long) -1 != 18446744073709551615ull) reach_error();
    if ('\n' != 10 || '\t' != 9 || '\r' != 13 || '\a' != 7 || '\b' != 8 || '\f' != 12 || '\v' != 11) reach_error();
    if ('\e' != 27 || '\\' != 92 || '\'' != 39 || '\"' != 34 || '\?' != 63 || '\0' != 0) reach_error();
    if ('\7' != 7 || '\17' != 15 || '\101' != 65 || '\377' != -1 || '\x41' != 65 || '\xff' != -1) reach_error();
    if ('ab' != 24930 || 'abc' != 6382179 || '\377a' != 65377 || '\1\2\3\4' != 16909060) reach_error();
    if ("a\1012"[1] != 65 || "a\1012"[2] != '2' || "\x41g"[1] != 'g' || sizeof "a\0b" != 4) reach_error();
    if (L'\u00e9' != 0xe9 || L'\U0001F600' != 0x1F600 || L'\xffff' != 0xffff) reach_error();
    if ("ab" "cd"[3] != 'd' || "\
x"[0] != 'x') reach_error();
    return 0;
}
