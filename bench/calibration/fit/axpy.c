/* y = a x + y on vectors in the first-level cache. */
enum { N = 1000, TURNS = 200 };
static double x[N], y[N];

static void axpy(int n, double a, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] += a * from[i];
}

static volatile int size = N;

double kernel(void)
{
    int n = size;
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 1.0;
    }
    for (int t = 0; t < TURNS; t++)
        axpy(n, 0.5 + t, x, y);
    return y[N / 2];
}
