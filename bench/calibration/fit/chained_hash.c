/* A hash table with chains, for words of eight letters. */
enum { BUCKETS = 256, WORDS = 700, LOOKUPS = 2500 };
typedef struct Entry {
    struct Entry *next;
    unsigned long word;
    int count;
} Entry;
static Entry *buckets[BUCKETS], entries[WORDS];

static unsigned bucket_of(unsigned long word)
{
    return (unsigned)((word ^ word >> 29) * 0xbf58476d1ce4e5b9ul >> 56);
}

double kernel(void)
{
    unsigned long word = 1;
    int found = 0;
    for (int b = 0; b < BUCKETS; b++)
        buckets[b] = 0;
    for (int i = 0; i < WORDS; i++) {
        word = word * 6364136223846793005ul + 99;
        Entry *entry = &entries[i];
        entry->word = word >> 52;
        entry->count = 0;
        entry->next = buckets[bucket_of(entry->word)];
        buckets[bucket_of(entry->word)] = entry;
    }
    for (int i = 0; i < LOOKUPS; i++) {
        word = word * 6364136223846793005ul + 99;
        Entry *entry = buckets[bucket_of(word >> 52)];
        while (entry && entry->word != word >> 52)
            entry = entry->next;
        if (entry)
            found += ++entry->count;
    }
    return found;
}
