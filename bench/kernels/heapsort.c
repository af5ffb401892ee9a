/* heapsort.c - sorts doubles in a heap: jumps through the array that double with each level, unpredictable choices. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 18 };
static double values[MOST];

static void sift(double *v, int root, int n)
{
    double moving = v[root];
    for (int child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && v[child + 1] > v[child])
            child++;
        if (v[child] <= moving)
            break;
        v[root] = v[child];
    }
    v[root] = moving;
}

static void sort(double *v, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(v, i, n);
    for (int end = n - 1; end > 0; end--) {
        double t = v[0];
        v[0] = v[end];
        v[end] = t;
        sift(v, 0, end);
    }
}

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
