/* quicksort.c - sorts integers: comparisons that cannot be predicted, swaps, recursion. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000000 };
static int values[MOST];

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

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : MOST;
    unsigned state = 1, checksum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            values[i] = (int)(state >> 4);
        }
        sort(values, n);
        for (int i = 1; i < n; i++)
            if (values[i - 1] > values[i])
                return 1;
        checksum = checksum * 31 + (unsigned)values[n / 2];
    }
    printf("%u\n", checksum);
    return 0;
}
