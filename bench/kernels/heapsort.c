/* heapsort.c - sorts doubles in a heap: jumps through the array that double with each level, unpredictable choices. */
#include <stdio.h>
#include <stdlib.h>

typedef double Number;
#include "../calibration/shared/heap_sort.h"

enum { MOST = 1 << 18 };
static double values[MOST];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 10, n = argc > 2 ? atoi(argv[2]) : 200000;
    unsigned state = 1;
    double sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) {
            state = state * 1664525 + 1013904223;
            values[i] = state >> 8;
        }
        sort(values, n);
        sum += values[n / 2];
    }
    printf("%.0f\n", sum);
    return 0;
}
