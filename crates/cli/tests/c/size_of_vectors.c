// expect: unknown: unsupported: the size of an incomplete or variable type at 5:
extern void reach_error(void);
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    if (sizeof(v4) == 16) reach_error();
    return 0;
}
