/* A binary search tree: built, then searched. */
enum { N = 1000, SEARCHES = 3000 };
typedef struct Node {
    struct Node *left, *right;
    unsigned key;
} Node;
static Node nodes[N];

static Node *insert(Node *root, Node *node)
{
    Node **link = &root;
    while (*link)
        link = node->key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = node;
    return root;
}

double kernel(void)
{
    Node *root = 0;
    unsigned state = 7, found = 0;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        nodes[i] = (Node){0, 0, state >> 12};
        root = insert(root, &nodes[i]);
    }
    for (int i = 0; i < SEARCHES; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned key = i % 2 ? nodes[i % N].key : state >> 12;
        const Node *node = root;
        while (node && node->key != key)
            node = key < node->key ? node->left : node->right;
        found += node != 0;
    }
    return found;
}
