// expect: safe
extern void reach_error(void);
// A field of three bits is an `int`, also as the value of an assignment.
struct { unsigned a : 3; } s;
int main(void) {
    if ((s.a = 7) - 8 >= 0) reach_error();
    if (s.a++ - 8 >= 0 || --s.a - 8 >= 0) reach_error();
    if ((0, s.a) - 8 >= 0 || ({ s.a; }) - 8 >= 0) reach_error();
    return 0;
}
