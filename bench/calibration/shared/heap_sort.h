/* heap_sort.h - sorts numbers in a heap. The including file defines the type Number. */
static void sink(Number *heap, int at, int n)
{
    Number value = heap[at];
    for (int child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void sort(Number *heap, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--)
        sink(heap, i, count);
    for (int n = count - 1; n > 0; n--) {
        Number keep = heap[0];
        heap[0] = heap[n];
        heap[n] = keep;
        sink(heap, 0, n);
    }
}
