// expect: safe
#include <assert.h>
#include <stdio.h>

struct account {
    int id;
    long balance;
};

static int withdraw(struct account *account, long amount)
{
    if (amount <= 0 || amount > account->balance)
        return -1;
    account->balance -= amount;
    return 0;
}

static int transfer(struct account *from, struct account *to, long amount)
{
    if (withdraw(from, amount) != 0) {
        printf("account %d has only %ld\n", from->id, from->balance);
        return -1;
    }
    to->balance += amount;
    return 0;
}

int main(void)
{
    struct account a = { 1, 100 }, b = { 2, 50 };
    assert(transfer(&a, &b, 70) == 0);
    assert(transfer(&a, &b, 70) == -1);
    assert(a.balance + b.balance == 150); // or: assert(a.balance == 100);
    assert(a.balance >= 0);
    return 0;
}
