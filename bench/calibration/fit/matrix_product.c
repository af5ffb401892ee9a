/* Product of small square matrices, inner loop along rows. */
enum { N = 56 };
static double a[N][N], b[N][N], c[N][N];

static volatile int size = N;

double kernel(void)
{
    int n = size;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
            c[i][j] = 0.0;
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double factor = a[i][k];
            for (int j = 0; j < n; j++)
                c[i][j] += factor * b[k][j];
        }
    return c[N / 3][N / 2];
}
