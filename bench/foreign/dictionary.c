/* dictionary.c - a hash table of words with chains, every word in memory of its own; it grows while it fills. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *key;
    int value;
    struct entry *next;
} entry;

typedef struct {
    entry **buckets;
    size_t size, used;
} table;

static unsigned long hash(const char *s)
{
    unsigned long h = 5381;
    int c;
    while ((c = *s++))
        h = (h << 5) + h + (unsigned long)c;
    return h;
}

static void grow(table *t)
{
    size_t size = t->size * 2;
    entry **buckets = calloc(size, sizeof *buckets);
    for (size_t i = 0; i < t->size; i++)
        for (entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            size_t h = hash(e->key) % size;
            e->next = buckets[h];
            buckets[h] = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
}

static int *lookup(table *t, const char *key)
{
    size_t h = hash(key) % t->size;
    for (entry *e = t->buckets[h]; e; e = e->next)
        if (!strcmp(e->key, key))
            return &e->value;
    if (t->used++ > t->size)
        grow(t), h = hash(key) % t->size;
    entry *e = malloc(sizeof *e);
    e->key = malloc(strlen(key) + 1);
    strcpy(e->key, key);
    e->value = 0;
    e->next = t->buckets[h];
    t->buckets[h] = e;
    return &e->value;
}

static void clear(table *t)
{
    for (size_t i = 0; i < t->size; i++)
        while (t->buckets[i]) {
            entry *e = t->buckets[i];
            t->buckets[i] = e->next;
            free(e->key);
            free(e);
        }
    free(t->buckets);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 130, words = argc > 2 ? atoi(argv[2]) : 40000;
    unsigned seed = 1;
    long sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        table t = {calloc(16, sizeof(entry *)), 16, 0};
        for (int i = 0; i < words; i++) {
            char word[16];
            int n = 0;
            seed = seed * 1664525 + 1013904223;
            unsigned r = (seed >> 9) % 3001;
            do
                word[n++] = (char)('a' + r % 13);
            while (r /= 13);
            word[n] = 0;
            ++*lookup(&t, word);
        }
        sum += *lookup(&t, "b") + (long)t.used;
        clear(&t);
    }
    printf("%ld\n", sum);
    return 0;
}
