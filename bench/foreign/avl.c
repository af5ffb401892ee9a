/* avl.c - balanced trees: inserting, looking up, deleting and summing nodes from malloc. */
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int key, height;
    struct node *left, *right;
} node;

static int height(const node *n)
{
    return n ? n->height : 0;
}

static void measure(node *n)
{
    int l = height(n->left), r = height(n->right);
    n->height = (l > r ? l : r) + 1;
}

static node *rotate_right(node *y)
{
    node *x = y->left;
    y->left = x->right;
    x->right = y;
    measure(y);
    measure(x);
    return x;
}

static node *rotate_left(node *x)
{
    node *y = x->right;
    x->right = y->left;
    y->left = x;
    measure(x);
    measure(y);
    return y;
}

static node *balance(node *n)
{
    measure(n);
    int lean = height(n->left) - height(n->right);
    if (lean > 1) {
        if (height(n->left->left) < height(n->left->right))
            n->left = rotate_left(n->left);
        return rotate_right(n);
    }
    if (lean < -1) {
        if (height(n->right->right) < height(n->right->left))
            n->right = rotate_right(n->right);
        return rotate_left(n);
    }
    return n;
}

static node *insert(node *n, int key)
{
    if (!n) {
        n = malloc(sizeof *n);
        *n = (node){key, 1, NULL, NULL};
        return n;
    }
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    else
        return n;
    return balance(n);
}

static node *take_least(node *n, node **least)
{
    if (!n->left) {
        *least = n;
        return n->right;
    }
    n->left = take_least(n->left, least);
    return balance(n);
}

static node *erase(node *n, int key)
{
    if (!n)
        return NULL;
    if (key < n->key) {
        n->left = erase(n->left, key);
    } else if (key > n->key) {
        n->right = erase(n->right, key);
    } else {
        node *left = n->left, *right = n->right, *least;
        free(n);
        if (!right)
            return left;
        right = take_least(right, &least);
        least->right = right;
        least->left = left;
        return balance(least);
    }
    return balance(n);
}

static int contains(const node *n, int key)
{
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n != NULL;
}

static long sum(const node *n)
{
    return n ? n->key + sum(n->left) + sum(n->right) : 0;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 50, count = argc > 2 ? atoi(argv[2]) : 10000;
    unsigned seed = 19;
    long check = 0;
    for (int turn = 0; turn < turns; turn++) {
        node *root = NULL;
        for (int i = 0; i < count; i++) {
            seed = seed * 1664525 + 1013904223;
            root = insert(root, (int)(seed >> 8) % (4 * count));
        }
        for (int i = 0; i < 4 * count; i++)
            check += contains(root, i);
        check += sum(root) + height(root);
        for (int i = 0; i < 4 * count; i++)
            root = erase(root, i);
    }
    printf("%ld\n", check);
    return 0;
}
