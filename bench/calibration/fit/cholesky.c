/* Cholesky factor of a positive definite matrix. */
#include <math.h>

enum { N = 64 };
static double a[N][N];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N : 1.0 / (1 + (i > j ? i - j : j - i));
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < N; i++)
                a[i][j] -= a[i][k] * a[j][k];
        double root = sqrt(a[j][j]);
        for (int i = j; i < N; i++)
            a[i][j] /= root;
    }
    return a[N - 1][N - 1];
}
