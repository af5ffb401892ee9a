/* list_sort.c - sorts a linked list by merging bottom-up: links rewritten, every step a load that depends on the last.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 16 };
typedef struct Node {
    struct Node *next;
    int value;
} Node;
static Node nodes[MOST];

static Node *merge(Node *a, Node *b)
{
    Node head, *last = &head;
    while (a && b) {
        Node **less = b->value < a->value ? &b : &a;
        last = last->next = *less;
        *less = (*less)->next;
    }
    last->next = a ? a : b;
    return head.next;
}

/* runs[i] holds a sorted list of 2^i nodes or nothing, as the digits of a binary counter. */
static Node *sort(Node *list)
{
    Node *runs[32] = {NULL}, *sorted = NULL;
    while (list) {
        Node *carry = list;
        list = list->next;
        carry->next = NULL;
        int i = 0;
        for (; runs[i]; i++) {
            carry = merge(runs[i], carry);
            runs[i] = NULL;
        }
        runs[i] = carry;
    }
    for (int i = 0; i < 32; i++)
        sorted = merge(runs[i], sorted);
    return sorted;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 35, n = argc > 2 ? atoi(argv[2]) : 60000;
    unsigned state = 1, checksum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            nodes[i] = (Node){i + 1 < n ? &nodes[i + 1] : NULL, (int)(state >> 9)};
        }
        for (const Node *node = sort(nodes); node; node = node->next)
            checksum = checksum * 31 + (unsigned)node->value;
    }
    printf("%u\n", checksum);
    return 0;
}
