// expect: safe
#include <assert.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *tree, int key)
{
    if (tree == NULL) {
        struct tree *leaf = malloc(sizeof *leaf);
        if (leaf == NULL)
            abort();
        leaf->key = key;
        leaf->left = leaf->right = NULL;
        return leaf;
    }
    if (key < tree->key)
        tree->left = insert(tree->left, key);
    else if (key > tree->key)
        tree->right = insert(tree->right, key);
    return tree;
}

static int contains(const struct tree *tree, int key)
{
    while (tree != NULL && tree->key != key)
        tree = key < tree->key ? tree->left : tree->right;
    return tree != NULL;
}

int main(void)
{
    int keys[] = { 5, 2, 8, 1 };
    struct tree *tree = NULL;
    for (int i = 0; i < 4; i++)
        tree = insert(tree, keys[i]);
    assert(contains(tree, 8) && !contains(tree, 3)); // or: assert(contains(tree, 3));
    return 0;
}
