/* LU decomposition with partial pivoting. */
#include <math.h>

enum { N = 64 };
static double a[N][N];

static volatile int size = N;

double kernel(void)
{
    int n = size;
    double product = 1.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 1.0 / (i + j + 1) + (i == j ? 2.0 : 0.0);
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        for (int j = 0; j < N && pivot != k; j++) {
            double keep = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            a[i][k] = factor;
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
        product *= a[k][k];
    }
    return product;
}
