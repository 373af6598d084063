// expect: safe
#include <assert.h>

struct student {
    const char *name;
    int marks[3];
};

static int average(const struct student *student)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += student->marks[i];
    return sum / 3;
}

int main(void)
{
    struct student students[] = { { "Ann", { 90, 80, 70 } }, { "Bob", { 60, 70, 65 } } };
    const struct student *best = &students[0];
    for (int i = 1; i < 2; i++)
        if (average(&students[i]) > average(best))
            best = &students[i];
    assert(best->name[0] == 'A'); // or: assert(best->name[0] == 'B');
    return 0;
}
