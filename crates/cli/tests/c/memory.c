// expect: safe
// Structures, bit-fields, unions, arrays, pointers that resolve, function pointers, static variables.
extern void reach_error(void);
struct S { int a; struct { short b[3]; } in; unsigned f : 3; };
typedef int (*operation)(int);
static int twice(int x) { return x * 2; }
static int minus(int x) { return -x; }
operation table[2] = { twice, minus };
int add(int *p, int v) { *p += v; return *p; }
int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
void init(struct S *s) { s->a = 42; s->in.b[1]++; }
int next(void) { static int n = 5; return n++; }
struct S make(int a) { struct S s = { .a = a }; return s; }
int main(void) {
    int x = 1, y = 2, *p = &x, **pp = &p;
    struct S s = { 1, { { 4, 5 } }, 9 }, t;
    int arr[5] = { [2] = 3, 4 };
    union { int i; unsigned char b[4]; } u;
    add(&x, 4); add(&y, 5);
    if (x != 5 || y != 7 || *p != 5) reach_error();
    *pp = &y; *p = 11;
    if (y != 11 || x != 5) reach_error();
    if (s.in.b[1] != 5 || s.f != 1 || s.in.b[2] != 0) reach_error();
    t = s; t.a = 7; init(&t);
    if (s.a != 1 || t.a != 42 || t.in.b[1] != 6 || s.in.b[1] != 5) reach_error();
    if (arr[2] != 3 || arr[3] != 4 || arr[4] != 0 || sum(arr, 5) != 7) reach_error();
    p = arr + 1; p++;
    if (*p != 3 || p - arr != 2 || p[1] != 4) reach_error();
    u.i = 0x01020304;
    if (u.b[0] != 4 || u.b[3] != 1) reach_error();
    if (table[0](4) != 8 || (*table[1])(4) != -4) reach_error();
    if (next() != 5 || next() != 6) reach_error();
    if (make(3).a != 3) reach_error();
    p = 0;
    if (p) reach_error();
    return "abc"[1] != 'b';
}
