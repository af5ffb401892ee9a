/* Heap sort of integers. */
enum { N = 3000 };
static int heap[N];

static void sink(int at, int n)
{
    int value = heap[at];
    for (int child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

double kernel(void)
{
    unsigned state = 4242;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        heap[i] = (int)(state >> 9);
    }
    for (int i = N / 2 - 1; i >= 0; i--)
        sink(i, N);
    for (int n = N - 1; n > 0; n--) {
        int keep = heap[0];
        heap[0] = heap[n];
        heap[n] = keep;
        sink(0, n);
    }
    return heap[N / 2];
}
