/* quicksort.c - sorts integers: comparisons that cannot be predicted, swaps, recursion. */
#include <stdio.h>

enum { N = 1000000 };
static int values[N];

static void sort(int *v, int n)
{
    while (n > 1) {
        int pivot = v[n / 2], i = 0, j = n - 1;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                int t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        sort(v, j + 1);
        v += i;
        n -= i;
    }
}

int main(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525 + 1013904223;
        values[i] = (int)(state >> 4);
    }
    sort(values, N);
    for (int i = 1; i < N; i++)
        if (values[i - 1] > values[i])
            return 1;
    printf("%d\n", values[N / 2]);
    return 0;
}
