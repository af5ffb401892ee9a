/* Vectors of float: scaled sums and products, extents known only at run time. */
enum { N = 1200, TURNS = 30 };
static float x[N], y[N];

static volatile int size = N;

double kernel(void)
{
    int n = size;
    float sum = 0.0f;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    for (int t = 0; t < TURNS; t++) {
        for (int i = 0; i < n; i++)
            y[i] = 0.5f * y[i] + x[i];
        for (int i = 0; i < n; i += 2)
            sum += x[i] * y[i];
    }
    return sum;
}
