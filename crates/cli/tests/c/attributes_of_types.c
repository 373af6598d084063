// expect: safe
extern void reach_error(void);
typedef int byte __attribute__((mode(QI))), word;
struct __attribute__((packed)) A { char c; int i; };
struct B { char c; int i __attribute__((packed)); };
struct C { char c; int i __attribute__((aligned(8))); };
struct D { char c; _Alignas(16) int i; };
struct E { char c; int i; } __attribute__((packed));
struct F { char c; int i; };
enum __attribute__((packed)) G { G0, G1 };
enum { H0 = 300, H1 } __attribute__((packed)) h;
int main(void) {
    if (sizeof(byte) != 1 || sizeof(word) != 4) reach_error();
    if (sizeof(struct A) != 5 || sizeof(struct B) != 5 || sizeof(struct C) != 16) reach_error();
    if (sizeof(struct D) != 32 || sizeof(struct E) != 5 || sizeof(struct F) != 8) reach_error();
    if (sizeof(enum G) != 1 || sizeof(h) != 2) reach_error();
    return 0;
}
