// expect: safe
#include <assert.h>

#define MAX 10

struct stack {
    int items[MAX];
    int top;
};

static void push(struct stack *stack, int item)
{
    if (stack->top < MAX)
        stack->items[stack->top++] = item;
}

static int pop(struct stack *stack)
{
    return stack->top > 0 ? stack->items[--stack->top] : -1;
}

int main(void)
{
    struct stack stack = { .top = 0 };
    for (int i = 0; i < 12; i++)
        push(&stack, i);
    assert(pop(&stack) == 9); // or: assert(pop(&stack) == 11);
    assert(stack.top == 9);
    return 0;
}
