/* Points in a quadtree, and how many of them are near some positions. */
#include <stddef.h>
enum { POINTS = 600, QUERIES = 60 };
typedef struct Node {
    double x, y;
    struct Node *child[4];
} Node;
static Node nodes[POINTS];

static void insert(Node *tree, Node *node)
{
    for (;;) {
        int quarter = (node->x > tree->x) + 2 * (node->y > tree->y);
        if (!tree->child[quarter]) {
            tree->child[quarter] = node;
            return;
        }
        tree = tree->child[quarter];
    }
}

static int count(const Node *tree, double x, double y, double r)
{
    if (!tree)
        return 0;
    double dx = tree->x - x, dy = tree->y - y;
    int n = dx * dx + dy * dy <= r * r;
    if (x - r <= tree->x) {
        if (y - r <= tree->y)
            n += count(tree->child[0], x, y, r);
        if (y + r > tree->y)
            n += count(tree->child[2], x, y, r);
    }
    if (x + r > tree->x) {
        if (y - r <= tree->y)
            n += count(tree->child[1], x, y, r);
        if (y + r > tree->y)
            n += count(tree->child[3], x, y, r);
    }
    return n;
}

double kernel(void)
{
    unsigned state = 41;
    int sum = 0;
    for (int i = 0; i < POINTS; i++) {
        state = state * 1664525u + 1013904223u;
        double x = state >> 20, y = state >> 8 & 4095;
        nodes[i] = (Node){.x = x, .y = y, .child = {NULL}};
        if (i)
            insert(nodes, &nodes[i]);
    }
    for (int i = 0; i < QUERIES; i++)
        sum += count(nodes, i * 67 % 4096, i * 911 % 4096, 300.0);
    return sum;
}
