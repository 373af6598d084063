// expect: safe
#include <assert.h>

#define N 2

static void multiply(int a[N][N], int b[N][N], int c[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int main(void)
{
    int a[N][N] = { { 1, 2 }, { 3, 4 } }, b[N][N] = { { 0, 1 }, { 1, 0 } }, c[N][N];
    multiply(a, b, c);
    assert(c[0][0] == 2 && c[1][1] == 3); // or: assert(c[0][0] == 1);
    return 0;
}
