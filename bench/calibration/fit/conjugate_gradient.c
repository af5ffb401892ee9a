/* Conjugate gradients on a sparse matrix in ELLPACK format. */
enum { N = 400, PER_ROW = 5, STEPS = 12 };
static double values[N][PER_ROW], x[N], r[N], p[N], q[N];
static int columns[N][PER_ROW];

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static volatile int size = N;

double kernel(void)
{
    int n = size;
    static const int offsets[PER_ROW] = {0, 1, N - 1, 20, N - 20};
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < PER_ROW; k++) {
            columns[i][k] = (i + offsets[k]) % N;
            values[i][k] = k == 0 ? 4.5 : -1.0;
        }
        x[i] = 0.0;
        r[i] = p[i] = 1.0 + i % 3;
    }
    double old = dot(n, r, r);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = 0; k < PER_ROW; k++)
                sum += values[i][k] * p[columns[i][k]];
            q[i] = sum;
        }
        double alpha = old / dot(n, p, q);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double fresh = dot(n, r, r), beta = fresh / old;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
        old = fresh;
    }
    return x[7];
}
