/* rows.c - matrices of doubles as arrays of pointers to rows: product, transpose, determinant by elimination. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double **new_matrix(int n, int m)
{
    double **a = malloc(sizeof *a * (size_t)n);
    for (int i = 0; i < n; i++)
        a[i] = calloc((size_t)m, sizeof **a);
    return a;
}

static void multiply(double **c, double **a, double **b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void transpose(double **a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}

static double determinant(double **a, int n)
{
    double det = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        if (a[p][k] == 0)
            return 0;
        if (p != k) {
            double *t = a[p];
            a[p] = a[k];
            a[k] = t;
            det = -det;
        }
        det *= a[k][k];
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    return det;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 40, n = argc > 2 ? atoi(argv[2]) : 150;
    double **a = new_matrix(n, n), **b = new_matrix(n, n), **c = new_matrix(n, n), sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                a[i][j] = (i * 7 + j * 3 + turn) % 11 / 11.0 + (i == j);
                b[i][j] = (i * 5 + j * 13) % 7 / 70.0;
            }
        multiply(c, a, b, n);
        transpose(c, n);
        sum += c[n / 2][n / 3] + log(fabs(determinant(a, n)) + 1e-300);
    }
    printf("%.9g\n", sum);
    return 0;
}
