/* lu.c - solves dense linear equations by elimination with partial pivoting: a search down a column, an exchange of
 * rows, rows minus multiples of rows. Both triangular solves follow.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 };
static double a[MOST][MOST], x[MOST];
static int pivots[MOST];

static int largest(int column, int n)
{
    int row = column;
    for (int i = column + 1; i < n; i++)
        if (fabs(a[i][column]) > fabs(a[row][column]))
            row = i;
    return row;
}

static void exchange(double *one, double *other, int n)
{
    for (int j = 0; j < n; j++) {
        double t = one[j];
        one[j] = other[j];
        other[j] = t;
    }
}

static void factor(int n)
{
    for (int k = 0; k < n; k++) {
        pivots[k] = largest(k, n);
        if (pivots[k] != k)
            exchange(a[k], a[pivots[k]], n);
        for (int i = k + 1; i < n; i++) {
            double multiple = a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= multiple * a[k][j];
        }
    }
}

static void solve(int n)
{
    for (int k = 0; k < n; k++) {
        double t = x[k];
        x[k] = x[pivots[k]];
        x[pivots[k]] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= a[i][j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 110, n = argc > 2 ? atoi(argv[2]) : 240;
    double sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        unsigned state = (unsigned)turn + 1;
        for (int i = 0; i < n; i++) {
            x[i] = i;
            for (int j = 0; j < n; j++) {
                state = state * 1664525 + 1013904223;
                a[i][j] = (int)(state >> 16) - 32768;
            }
        }
        factor(n);
        solve(n);
        sum += x[n / 2];
    }
    printf("%.9g\n", sum);
    return 0;
}
