/* Heap sort of integers. */
typedef int Number;
#include "../shared/heap_sort.h"

enum { N = 3000 };
static int heap[N];

double kernel(void)
{
    unsigned state = 4242;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        heap[i] = (int)(state >> 9);
    }
    sort(heap, N);
    return heap[N / 2];
}
