/* stencil3d.c - seven-point stencil of a cube in a flat array with computed index: three strides at once. */
#include <stdio.h>
#include <stdlib.h>

static void step(const double *from, double *to, int n)
{
    int plane = n * n;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                int at = i * plane + j * n + k;
                to[at] = 0.4 * from[at] + 0.1 * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n] +
                                                 from[at - plane] + from[at + plane]);
            }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 900, n = argc > 2 ? atoi(argv[2]) : 64;
    int cells = n * n * n;
    double *now = calloc((size_t)cells, sizeof *now), *next = calloc((size_t)cells, sizeof *next);
    if (!now || !next)
        return 1;
    for (int i = 0; i < cells; i++)
        now[i] = next[i] = i % 11;
    for (int s = 0; s < steps; s++) {
        step(now, next, n);
        double *t = now;
        now = next;
        next = t;
    }
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += now[i];
    printf("%.6f\n", sum);
    free(now);
    free(next);
    return 0;
}
