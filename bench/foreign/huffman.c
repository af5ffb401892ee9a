/* huffman.c - Huffman's code of a text: a heap, a tree of nodes from malloc, bits written and read one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    long weight;
    int symbol;
    struct node *left, *right;
} node;

typedef struct {
    node *items[512];
    int size;
} heap;

static int before(const node *a, const node *b)
{
    return a->weight < b->weight || (a->weight == b->weight && a->symbol < b->symbol);
}

static void push(heap *h, node *n)
{
    int i = h->size++;
    while (i > 0 && before(n, h->items[(i - 1) / 2])) {
        h->items[i] = h->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->items[i] = n;
}

static node *pop(heap *h)
{
    node *top = h->items[0], *last = h->items[--h->size];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= h->size)
            break;
        if (child + 1 < h->size && before(h->items[child + 1], h->items[child]))
            child++;
        if (!before(h->items[child], last))
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    h->items[i] = last;
    return top;
}

static node *new_node(long weight, int symbol, node *left, node *right)
{
    node *n = malloc(sizeof *n);
    n->weight = weight;
    n->symbol = symbol;
    n->left = left;
    n->right = right;
    return n;
}

static char codes[256][64];

static void walk(const node *n, char *prefix, int depth)
{
    if (!n->left) {
        prefix[depth] = 0;
        strcpy(codes[n->symbol], prefix);
        return;
    }
    prefix[depth] = '0';
    walk(n->left, prefix, depth + 1);
    prefix[depth] = '1';
    walk(n->right, prefix, depth + 1);
}

static void release(node *n)
{
    if (!n)
        return;
    release(n->left);
    release(n->right);
    free(n);
}

typedef struct {
    unsigned char *bytes;
    size_t bit;
} stream;

static void put(stream *s, int bit)
{
    if (bit)
        s->bytes[s->bit / 8] |= (unsigned char)(1 << s->bit % 8);
    s->bit++;
}

static int get(stream *s)
{
    int bit = s->bytes[s->bit / 8] >> s->bit % 8 & 1;
    s->bit++;
    return bit;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 60, n = argc > 2 ? atoi(argv[2]) : 60000;
    unsigned char *text = malloc((size_t)n), *packed = malloc((size_t)n * 2), *again = malloc((size_t)n);
    unsigned seed = 5;
    size_t total = 0;
    int wrong = 0;
    for (int turn = 0; turn < turns; turn++) {
        long count[256] = {0};
        for (int i = 0; i < n; i++) {
            seed = seed * 1664525 + 1013904223;
            text[i] = (unsigned char)('a' + ((seed >> 28) * (seed >> 24 & 15)) / 9);
            count[text[i]]++;
        }
        heap h = {.size = 0};
        for (int c = 0; c < 256; c++)
            if (count[c])
                push(&h, new_node(count[c], c, NULL, NULL));
        for (int symbol = 256; h.size > 1; symbol++) {
            node *a = pop(&h), *b = pop(&h);
            push(&h, new_node(a->weight + b->weight, symbol, a, b));
        }
        node *root = pop(&h);
        char prefix[64];
        walk(root, prefix, 0);
        memset(packed, 0, (size_t)n * 2);
        stream out = {packed, 0}, in = {packed, 0};
        for (int i = 0; i < n; i++)
            for (const char *c = codes[text[i]]; *c; c++)
                put(&out, *c == '1');
        for (int i = 0; i < n; i++) {
            const node *at = root;
            while (at->left)
                at = get(&in) ? at->right : at->left;
            again[i] = (unsigned char)at->symbol;
        }
        wrong += memcmp(text, again, (size_t)n) != 0;
        total += out.bit;
        release(root);
    }
    printf("%zu %d\n", total, wrong);
    return 0;
}
