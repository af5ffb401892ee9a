/* sparse.c - product of a sparse matrix (compressed rows) and a vector: indirect loads. */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 20000, PER_ROW = 8 };
static int first[ROWS + 1], column[ROWS * PER_ROW];
static double value[ROWS * PER_ROW], x[ROWS], y[ROWS];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 2000;
    unsigned state = 1;
    for (int i = 0; i < ROWS * PER_ROW; i++) {
        state = state * 1664525 + 1013904223;
        column[i] = (int)((state >> 8) % ROWS);
        value[i] = (state >> 12) % 100 * 0.0001;
    }
    for (int i = 0; i <= ROWS; i++)
        first[i] = i * PER_ROW;
    for (int i = 0; i < ROWS; i++)
        x[i] = i;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int k = first[i]; k < first[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < ROWS; i++)
            x[i] = y[i] + 1;
    }
    printf("%.9g\n", x[ROWS / 2]);
    return 0;
}
