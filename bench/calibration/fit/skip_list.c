/* A sorted list with shortcuts: insertions and searches. */
enum { NODES = 400, LEVELS = 8, SEARCHES = 1200 };
typedef struct Node {
    int key;
    struct Node *next[LEVELS];
} Node;
static Node nodes[NODES + 1];

double kernel(void)
{
    unsigned state = 31;
    long found = 0;
    Node *head = &nodes[0];
    for (int l = 0; l < LEVELS; l++)
        head->next[l] = 0;
    for (int i = 1; i <= NODES; i++) {
        state = state * 1664525u + 1013904223u;
        Node *node = &nodes[i], *at = head;
        node->key = (int)(state >> 20);
        int height = 1;
        while (height < LEVELS && state >> height & 1)
            height++;
        for (int l = LEVELS - 1; l >= 0; l--) {
            while (at->next[l] && at->next[l]->key < node->key)
                at = at->next[l];
            if (l < height) {
                node->next[l] = at->next[l];
                at->next[l] = node;
            }
        }
    }
    for (int i = 0; i < SEARCHES; i++) {
        int key = i * 37 % 4096;
        Node *at = head;
        for (int l = LEVELS - 1; l >= 0; l--)
            while (at->next[l] && at->next[l]->key < key)
                at = at->next[l];
        found += at->next[0] && at->next[0]->key == key;
    }
    return (double)found;
}
