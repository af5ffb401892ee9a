/* The knapsack problem by dynamic programming: the larger of two sums. */
enum { ITEMS = 40, CAPACITY = 600 };
static int best[CAPACITY + 1];

double kernel(void)
{
    for (int c = 0; c <= CAPACITY; c++)
        best[c] = 0;
    for (int i = 0; i < ITEMS; i++) {
        int weight = 5 + i * 7 % 23, value = 10 + i * 13 % 37;
        for (int c = CAPACITY; c >= weight; c--) {
            int with = best[c - weight] + value;
            best[c] = with > best[c] ? with : best[c];
        }
    }
    return best[CAPACITY];
}
