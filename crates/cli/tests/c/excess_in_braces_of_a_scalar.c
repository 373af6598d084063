// expect: safe
// The first value counts, the others are dropped.
extern void reach_error(void);
int x = {1, 2, {3}}, y = {{4}, 5,};
struct { int a, b; } s = {{6, 7}, 8};
int main(void) {
    int z = {9, 10};
    if (x != 1 || y != 4 || s.a != 6 || s.b != 8 || z != 9) reach_error();
    return 0;
}
