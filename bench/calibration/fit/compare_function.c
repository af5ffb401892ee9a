/* The greatest of many records, by a comparison that is called through a pointer. */
enum { N = 1500, TURNS = 6 };
typedef struct Record {
    int key, value;
} Record;
static Record records[N];

static int by_key(const Record *a, const Record *b)
{
    return a->key - b->key;
}

static int by_value(const Record *a, const Record *b)
{
    return a->value - b->value;
}

static int (*const comparisons[])(const Record *, const Record *) = {by_key, by_value};

static const Record *greatest(int (*compare)(const Record *, const Record *))
{
    const Record *best = records;
    for (int i = 1; i < N; i++)
        if (compare(&records[i], best) > 0)
            best = &records[i];
    return best;
}

double kernel(void)
{
    long sum = 0;
    for (int i = 0; i < N; i++)
        records[i] = (Record){i * 7919 % 1009, i * 31 % 997};
    for (int t = 0; t < TURNS; t++)
        sum += greatest(comparisons[t % 2])->value;
    return (double)sum;
}
