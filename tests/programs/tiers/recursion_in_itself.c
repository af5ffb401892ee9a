/* Calls that end at once, that may be put into their callers, and that charge no more than is known, in all tiers:
 * the same results and clocks wherever a quantum ends (C11 6.5.2.2p11: functions may be recursive). */
#include <stdio.h>

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

typedef struct Node {
    struct Node *left, *right;
    int key;
} Node;

static int depth(const Node *node)
{
    if (!node)
        return 0;
    int left = depth(node->left), right = depth(node->right);
    return 1 + (left > right ? left : right);
}

static double power(double base, unsigned exponent)
{
    if (exponent == 0)
        return 1;
    double half = power(base, exponent / 2);
    return exponent % 2 ? half * half * base : half * half;
}

static void hanoi(int n, int from, int to, long *moves)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, 6 - from - to, moves);
    *moves = *moves * 7 + from * 3 + to;
    hanoi(n - 1, 6 - from - to, to, moves);
}

/* Without loops, and all that it calls is: what it costs is known before it is called. */
static int middle(int a, int b, int c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

static int spread(const int *v, int i, int n)
{
    return middle(v[i], v[(i + 1) % n], v[(i + 7) % n]) - middle(v[n - 1 - i], v[0], i);
}

static int (*const functions[])(const int *, int, int) = {spread, spread};

static Node *insert(Node *root, Node *node)
{
    if (!root)
        return node;
    if (node->key < root->key)
        root->left = insert(root->left, node);
    else
        root->right = insert(root->right, node);
    return root;
}

int main(void)
{
    static Node nodes[300];
    static int values[40];
    Node *root = NULL;
    long moves = 0;
    unsigned state = 1, sum = 0;
    for (int i = 0; i < 300; i++) {
        state = state * 1664525 + 1013904223;
        nodes[i].key = (int)(state >> 16);
        root = insert(root, &nodes[i]);
    }
    for (int i = 0; i < 40; i++)
        values[i] = nodes[i].key % 100;
    hanoi(7, 1, 3, &moves);
    for (int i = 0; i < 400; i++)
        sum = sum * 31 + (unsigned)functions[i % 2](values, i % 40, 40);
    printf("%d %d %d %.6g %ld %u\n", fibonacci(15), ackermann(2, 9), depth(root), power(1.0001, 12345), moves, sum);
    return 0;
}
