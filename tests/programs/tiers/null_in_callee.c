/* A fault deep in functions that a loop calls: the call stack has them all, with the loop's line. */
#include <stdio.h>

struct Node {
    struct Node *next;
    long value;
};

static struct Node nodes[300];

static long __attribute__((noinline)) value_of(struct Node *node, int depth)
{
    return depth ? value_of(node->next, depth - 1) : node->value;
}

static long __attribute__((noinline)) walk(struct Node *node, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + value_of(node, i % 300);
    return sum;
}

int main(void)
{
    for (int i = 0; i < 299; i++)
        nodes[i] = (struct Node){&nodes[i + 1], i};
    nodes[299] = (struct Node){nodes, 299};
    printf("%ld\n", walk(nodes, 600));
    nodes[150].next = 0;
    fflush(stdout);
    printf("%ld\n", walk(nodes, 600));
}
