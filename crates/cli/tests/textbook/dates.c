// expect: safe
#include <assert.h>
#include <stdbool.h>

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days(int month, int year)
{
    static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return month == 2 && is_leap(year) ? 29 : length[month - 1];
}

int main(void)
{
    int total = 0;
    for (int month = 1; month <= 12; month++)
        total += days(month, 2024);
    assert(total == 366); // or: assert(total == 365);
    assert(!is_leap(1900));
    return 0;
}
