/* A hash table with open addressing: insertions, then searches. */
enum { SLOTS = 2048, KEYS = 1200 };
static unsigned long keys[SLOTS];
static int counts[SLOTS];

static int find(unsigned long key)
{
    unsigned long mixed = key * 0x9e3779b97f4a7c15ul;
    int slot = (int)(mixed >> 53);
    while (keys[slot] && keys[slot] != key)
        slot = (slot + 1) & (SLOTS - 1);
    return slot;
}

double kernel(void)
{
    unsigned long state = 3;
    long sum = 0;
    for (int i = 0; i < SLOTS; i++) {
        keys[i] = 0;
        counts[i] = 0;
    }
    for (int i = 0; i < 5 * KEYS; i++) {
        state = state * 6364136223846793005ul + 1;
        unsigned long key = 1 + (state >> 40) % KEYS;
        int slot = find(key);
        keys[slot] = key;
        counts[slot]++;
    }
    for (unsigned long key = 1; key <= KEYS; key++)
        sum += counts[find(key)];
    return (double)sum;
}
