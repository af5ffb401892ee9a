/* Merges sorted lists pairwise until one is left. */
#include <stddef.h>
enum { NODES = 1024 };
typedef struct Node {
    int key;
    struct Node *next;
} Node;
static Node nodes[NODES];

static Node *merge(Node *a, Node *b)
{
    Node head = {0, NULL}, *last = &head;
    while (a && b)
        if (a->key <= b->key) {
            last = last->next = a;
            a = a->next;
        } else {
            last = last->next = b;
            b = b->next;
        }
    last->next = a ? a : b;
    return head.next;
}

static Node *sort(Node *list, int n)
{
    if (n < 2) {
        list->next = NULL;
        return list;
    }
    Node *middle = list;
    for (int i = 0; i < n / 2; i++)
        middle = middle->next;
    Node *second = sort(middle, n - n / 2);
    return merge(sort(list, n / 2), second);
}

double kernel(void)
{
    unsigned state = 7;
    for (int i = 0; i < NODES; i++) {
        state = state * 1664525u + 1013904223u;
        nodes[i] = (Node){(int)(state >> 10), i + 1 < NODES ? &nodes[i + 1] : NULL};
    }
    Node *list = sort(nodes, NODES);
    return list->key;
}
