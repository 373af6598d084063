// expect: safe
// A structure that is only declared in a block is another one than that outside of the block.
extern void reach_error(void);
struct S { char c; };
union U { char c; };
int main(void) {
    {
        struct S;
        struct S *p;
        struct T { struct S *p; } t;
        struct S { int a[5]; };
        if (sizeof(*p) != 20 || sizeof(*t.p) != 20) reach_error();
    }
    {
        union U;
        union U *p;
        union U { int a[3]; };
        if (sizeof(*p) != 12) reach_error();
    }
    {
        struct S *p;
        struct S { int a[5]; };
        const struct S;
        if (sizeof(*p) != 1 || sizeof(struct S) != 20) reach_error();
    }
    {
        const struct S;
        struct R { struct S; int a; };
        if (sizeof(struct S) != 1) reach_error();
    }
    return 0;
}
