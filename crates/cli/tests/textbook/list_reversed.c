// expect: safe
#include <assert.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node *reverse(struct node *head)
{
    struct node *result = NULL;
    while (head != NULL) {
        struct node *next = head->next;
        head->next = result;
        result = head;
        head = next;
    }
    return result;
}

int main(void)
{
    struct node c = { 3, NULL }, b = { 2, &c }, a = { 1, &b };
    struct node *list = reverse(&a);
    assert(list->value == 3 && list->next->next->value == 1); // or: assert(list->value == 1);
    return 0;
}
