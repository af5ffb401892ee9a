/* Lists split, reversed and joined again. */
enum { N = 500, TURNS = 30 };
typedef struct Node {
    struct Node *next;
    long value;
} Node;
static Node nodes[N];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        nodes[i] = (Node){i + 1 < N ? &nodes[i + 1] : 0, i};
    Node *list = nodes;
    for (int t = 0; t < TURNS; t++) {
        Node *odd = 0, *even = 0;
        while (list) {
            Node *next = list->next;
            Node **into = list->value & 1 ? &odd : &even;
            list->next = *into;
            *into = list;
            list = next;
        }
        list = odd;
        Node *last = odd;
        while (last->next)
            last = last->next;
        last->next = even;
    }
    return (double)list->value;
}
