/* Quicksort of integers, by hand. */
enum { N = 4000 };
static int numbers[N];

static void sort(int *from, int *to)
{
    while (from < to) {
        int pivot = from[(to - from) / 2], *low = from, *high = to;
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (*high > pivot)
                high--;
            if (low <= high) {
                int keep = *low;
                *low++ = *high;
                *high-- = keep;
            }
        }
        sort(from, high);
        from = low;
    }
}

double kernel(void)
{
    unsigned state = 12345;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (int)(state >> 8);
    }
    sort(numbers, numbers + N - 1);
    return numbers[N / 2];
}
