/* A list in scattered order: each load waits for the one before. */
enum { N = 800, TURNS = 60 };
typedef struct Item {
    struct Item *next;
    int value;
} Item;
static Item items[N];

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++) {
        items[i * 37 % N].next = &items[(i + 1) * 37 % N];
        items[i].value = i;
    }
    const Item *item = items;
    for (long i = 0; i < (long)N * TURNS; i++) {
        sum += item->value;
        item = item->next;
    }
    return (double)sum;
}
