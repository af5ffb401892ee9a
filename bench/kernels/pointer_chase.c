/* pointer_chase.c - follows a list that is scattered over 256 KiB: one dependent load after the other. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 14 };
struct node {
    struct node *next;
    long value;
};
static struct node nodes[N];

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 60000000;
    for (unsigned i = 0; i < N; i++) {
        nodes[i].next = &nodes[(i * 5 + 12345) % N];
        nodes[i].value = i % 7;
    }
    long sum = 0;
    struct node *n = nodes;
    for (int i = 0; i < steps; i++) {
        sum += n->value;
        n = n->next;
    }
    printf("%ld\n", sum);
    return 0;
}
