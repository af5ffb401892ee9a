/* Norms of vectors and of their differences, and a fixed-point iteration until its steps are small. */
#include <math.h>
enum { N = 400 };
static double a[N], b[N];

static double greatest(const double *x, const double *y, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        if (fabs(x[i] - y[i]) > most)
            most = fabs(x[i] - y[i]);
    return most;
}

static double sum(const double *x, int n)
{
    double all = 0.0;
    for (int i = 0; i < n; i++)
        all += fabs(x[i]);
    return all;
}

static volatile int size = N;

double kernel(void)
{
    int n = size;
    double result = 0.0, x = 1.0;
    for (int i = 0; i < N; i++) {
        a[i] = i % 17 - 8.0;
        b[i] = i % 13 - 6.5;
    }
    for (int t = 0; t < 12; t++) {
        result += greatest(a, b, n) + sum(a, n);
        a[t] += result * 1e-6;
    }
    for (int i = 0; i < 60; i++) {
        double before = 0.0;
        while (fabs(x - before) > 1e-9) {
            before = x;
            x = 0.5 * (x + (2.0 + i) / x);
        }
        result += x;
    }
    return result;
}
