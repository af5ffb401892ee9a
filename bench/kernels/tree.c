/* tree.c - a binary search tree of malloc'ed nodes: built, looked up at random, walked by recursion, freed. */
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
    struct Node *left, *right;
    unsigned key;
    int count;
} Node;

static void insert(Node **place, unsigned key)
{
    while (*place) {
        Node *node = *place;
        if (key == node->key) {
            node->count++;
            return;
        }
        place = key < node->key ? &node->left : &node->right;
    }
    Node *node = malloc(sizeof *node);
    *node = (Node){NULL, NULL, key, 1};
    *place = node;
}

static long walk(const Node *node, int depth)
{
    if (!node)
        return 0;
    return walk(node->left, depth + 1) + (long)depth * node->count + walk(node->right, depth + 1);
}

static void discard(Node *node)
{
    if (!node)
        return;
    discard(node->left);
    discard(node->right);
    free(node);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 18, n = argc > 2 ? atoi(argv[2]) : 100000;
    unsigned state = 1;
    long sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        Node *root = NULL;
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            insert(&root, (state >> 8) % 20000);
        }
        for (int i = 0; i < 20; i++)
            sum += walk(root, i);
        discard(root);
    }
    printf("%ld\n", sum);
    return 0;
}
