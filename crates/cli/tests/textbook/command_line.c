// expect: unknown: unsupported
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char *argv[])
{
    int verbose = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-v") == 0)
            verbose = 1;
    if (verbose)
        puts("verbose");
    assert(verbose == 0 || verbose == 1); // and not: assert(verbose == 0);
    return 0;
}
