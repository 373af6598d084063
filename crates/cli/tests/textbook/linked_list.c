// expect: safe
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value)
{
    struct node *node = malloc(sizeof(struct node));
    if (node == NULL)
        exit(1);
    node->value = value;
    node->next = head;
    return node;
}

static int sum(const struct node *head)
{
    int total = 0;
    for (; head != NULL; head = head->next)
        total += head->value;
    return total;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 1; i <= 4; i++)
        list = push(list, i);
    assert(sum(list) == 10); // or: assert(sum(list) == 9);
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
