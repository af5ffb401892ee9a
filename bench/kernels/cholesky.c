/* cholesky.c - Cholesky factor of a symmetric positive definite matrix: dot products of rows, and a square root and
 * divisions per column.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 };
static double a[MOST][MOST], l[MOST][MOST];

static double dot(const double *u, const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * v[i];
    return sum;
}

static void factor(int n)
{
    for (int j = 0; j < n; j++) {
        l[j][j] = sqrt(a[j][j] - dot(l[j], l[j], j));
        for (int i = j + 1; i < n; i++)
            l[i][j] = (a[i][j] - dot(l[i], l[j], j)) / l[j][j];
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 400, n = argc > 2 ? atoi(argv[2]) : 200;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i == j ? n + 1 : 1.0 / (1 + abs(i - j));
    double trace = 0;
    for (int turn = 0; turn < turns; turn++) {
        a[0][0] += 1;
        factor(n);
        for (int i = 0; i < n; i++)
            trace += l[i][i];
    }
    printf("%.6f\n", trace);
    return 0;
}
