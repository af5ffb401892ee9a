/* Least squares by reflections (Householder). */
#include <math.h>
enum { M = 60, N = 12 };
static double a[M][N], b[M], v[M];

static void reflect(int m, int n, int k)
{
    double norm = 0.0, square = 0.0;
    for (int i = k; i < m; i++)
        norm += a[i][k] * a[i][k];
    norm = sqrt(norm);
    for (int i = k; i < m; i++)
        v[i] = a[i][k];
    v[k] += v[k] > 0.0 ? norm : -norm;
    for (int i = k; i < m; i++)
        square += v[i] * v[i];
    for (int j = k; j <= n; j++) {
        double dot = 0.0;
        for (int i = k; i < m; i++)
            dot += v[i] * (j < n ? a[i][j] : b[i]);
        dot *= 2.0 / square;
        for (int i = k; i < m; i++)
            if (j < n)
                a[i][j] -= dot * v[i];
            else
                b[i] -= dot * v[i];
    }
}

double kernel(void)
{
    for (int i = 0; i < M; i++) {
        double x = (i - 30) / 30.0;
        a[i][0] = 1.0;
        for (int j = 1; j < N; j++)
            a[i][j] = a[i][j - 1] * x;
        b[i] = 1.0 / (1.0 + x * x);
    }
    for (int k = 0; k < N; k++)
        reflect(M, N, k);
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k + 1; j < N; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b[2];
}
