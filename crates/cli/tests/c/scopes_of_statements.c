// expect: safe
// Statements with conditions are blocks, and so are the statements in them: what they declare ends there.
extern void reach_error(void);
struct S { char c; };
enum { A = 1 };
static int by_if(void) { if (sizeof(enum { A = 2 }) == 0) return 0; return A; }
static int by_else(void) { if (0) ; else sizeof(enum { A = 2 }); return A; }
static int by_while(void) { while (sizeof(enum { A = 2 }) == 0) ; return A; }
static int by_do(void) { do sizeof(enum { A = 3 }); while (sizeof(enum { A = 2 }) == 0); return A; }
static int by_switch(void) { switch (sizeof(enum { A = 2 })) case 4: sizeof(struct S { int a[7]; }); return A; }
static int by_for(void) { for (; sizeof(enum { A = 2 }) == 0; ) ; return A; }
static int inside(void) { if (sizeof(enum { A = 2 }) == 4) return A; return 0; }
int main(void) {
    int size = 0;
    if (1) size = sizeof(struct S { int a[5]; });
    if (size != 20 || sizeof(struct S) != 1) reach_error();
    while (size == 20) size = sizeof(struct S { int a[6]; });
    if (size != 24 || sizeof(struct S) != 1) reach_error();
    if (by_if() != 1 || by_else() != 1 || by_while() != 1 || by_do() != 1) reach_error();
    if (by_switch() != 1 || by_for() != 1 || inside() != 2) reach_error();
    return 0;
}
