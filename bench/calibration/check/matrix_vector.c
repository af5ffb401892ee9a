/* The greatest eigenvalue of a matrix by powers: product of matrix and vector, norm, scaling. */
#include <math.h>
#include <stdlib.h>

static volatile int size = 100;

static void multiply(const double *a, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
    }
}

double kernel(void)
{
    int n = size;
    double *a = malloc(sizeof(double) * (size_t)(n * n)), *x = malloc(sizeof(double) * (size_t)n),
           *y = malloc(sizeof(double) * (size_t)n), value = 0.0;
    for (int i = 0; i < n; i++) {
        x[i] = 1.0;
        for (int j = 0; j < n; j++)
            a[i * n + j] = 1.0 / (i + j + 1);
    }
    for (int t = 0; t < 6; t++) {
        double square = 0.0;
        multiply(a, x, y, n);
        for (int i = 0; i < n; i++)
            square += y[i] * y[i];
        value = sqrt(square);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / value;
    }
    free(a);
    free(x);
    free(y);
    return value;
}
