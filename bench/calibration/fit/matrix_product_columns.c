/* Product of matrices with a sum down the columns, extents known only at run time. */
enum { N = 48 };
static double a[N * N], b[N * N], c[N * N];

static void multiply(int n, const double *left, const double *right, double *result)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += left[i * n + k] * right[k * n + j];
            result[i * n + j] = sum;
        }
}

static volatile int extent = N;

double kernel(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    multiply(extent, a, b, c);
    return c[N * N / 2];
}
