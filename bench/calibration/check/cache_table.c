/* A store of limited size that drops the least recently used entry: hash table and doubly linked list. */
enum { SLOTS = 64, BUCKETS = 128, REQUESTS = 4000 };
typedef struct Slot {
    unsigned key;
    int older, newer, next, value;
} Slot;
static Slot slots[SLOTS];
static int buckets[BUCKETS], newest, oldest, used;

static void unlink_slot(int s)
{
    if (slots[s].newer >= 0)
        slots[slots[s].newer].older = slots[s].older;
    else
        newest = slots[s].older;
    if (slots[s].older >= 0)
        slots[slots[s].older].newer = slots[s].newer;
    else
        oldest = slots[s].newer;
}

static void put_first(int s)
{
    slots[s].older = newest;
    slots[s].newer = -1;
    if (newest >= 0)
        slots[newest].newer = s;
    newest = s;
    if (oldest < 0)
        oldest = s;
}

static int get(unsigned key)
{
    unsigned b = (key * 2654435761u) >> 25;
    for (int s = buckets[b]; s >= 0; s = slots[s].next)
        if (slots[s].key == key) {
            unlink_slot(s);
            put_first(s);
            return slots[s].value;
        }
    int s = used < SLOTS ? used++ : oldest;
    if (oldest == s) {
        int *link = &buckets[(slots[s].key * 2654435761u) >> 25];
        unlink_slot(s);
        while (*link != s)
            link = &slots[*link].next;
        *link = slots[s].next;
    }
    slots[s].key = key;
    slots[s].value = (int)(key % 1000);
    slots[s].next = buckets[b];
    buckets[b] = s;
    put_first(s);
    return -1;
}

double kernel(void)
{
    unsigned state = 4;
    int misses = 0;
    newest = oldest = -1;
    used = 0;
    for (int i = 0; i < BUCKETS; i++)
        buckets[i] = -1;
    for (int i = 0; i < REQUESTS; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned r = state >> 20;
        misses += get(r % 8 ? r % 50 : r % 400) < 0;
    }
    return misses;
}
