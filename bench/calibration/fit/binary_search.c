/* Binary searches in a sorted table. */
enum { N = 1000, SEARCHES = 2500 };
static int table[N];

static int find(const int *sorted, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double kernel(void)
{
    unsigned state = 11;
    long sum = 0;
    for (int i = 0; i < N; i++)
        table[i] = i * 9 + i % 4;
    for (int s = 0; s < SEARCHES; s++) {
        state = state * 1664525u + 1013904223u;
        sum += find(table, N, (int)(state >> 8) % (N * 9));
    }
    return (double)sum;
}
