/* spectral.c - the largest eigenvalue of a matrix that is a function, and eigenvalues of a small one by Jacobi. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double element(int i, int j)
{
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static void times(const double *v, double *out, int n, int transposed)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += (transposed ? element(j, i) : element(i, j)) * v[j];
        out[i] = sum;
    }
}

#define SIZE 12
static double jacobi(double a[SIZE][SIZE])
{
    for (int sweep = 0; sweep < 8; sweep++)
        for (int p = 0; p < SIZE; p++)
            for (int q = p + 1; q < SIZE; q++) {
                if (fabs(a[p][q]) < 1e-12)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < SIZE; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < SIZE; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
    double least = a[0][0];
    for (int i = 1; i < SIZE; i++)
        least = fmin(least, a[i][i]);
    return least;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, turns = argc > 2 ? atoi(argv[2]) : 5000;
    double *u = malloc(sizeof *u * (size_t)n), *v = malloc(sizeof *v * (size_t)n), *w = malloc(sizeof *w * (size_t)n);
    for (int i = 0; i < n; i++)
        u[i] = 1;
    for (int i = 0; i < 10; i++) {
        times(u, w, n, 0);
        times(w, v, n, 1);
        times(v, w, n, 0);
        times(w, u, n, 1);
    }
    double vbv = 0, vv = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        vbv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    for (int turn = 0; turn < turns; turn++) {
        double a[SIZE][SIZE];
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                a[i][j] = (i * j + turn) % 7 + (i == j) * 10 + (j * i) % 3;
        sum += jacobi(a);
    }
    printf("%.9f %.6f\n", sqrt(vbv / vv), sum);
    return 0;
}
