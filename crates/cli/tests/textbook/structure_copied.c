// expect: unknown: unsupported
#include <assert.h>
#include <string.h>

struct point {
    int x, y;
};

int main(void)
{
    struct point a = { 1, 2 }, b, c;
    memcpy(&b, &a, sizeof a);
    memset(&c, 0, sizeof c);
    b.x++;
    assert(a.x == 1 && b.x == 2 && b.y == 2); // and not: assert(a.x == 2);
    assert(c.x == 0 && c.y == 0);
    return 0;
}
