/* Tridiagonal systems by elimination (Thomas): divisions that wait for each other. */
enum { N = 500, TURNS = 8 };
static double lower[N], diagonal[N], upper[N], right[N], c[N], x[N];

double kernel(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        lower[i] = -1.0;
        upper[i] = -1.0;
        diagonal[i] = 2.5 + i % 3;
        right[i] = i % 10;
    }
    for (int t = 0; t < TURNS; t++) {
        c[0] = upper[0] / diagonal[0];
        x[0] = right[0] / diagonal[0];
        for (int i = 1; i < N; i++) {
            double scale = 1.0 / (diagonal[i] - lower[i] * c[i - 1]);
            c[i] = upper[i] * scale;
            x[i] = (right[i] - lower[i] * x[i - 1]) * scale;
        }
        for (int i = N - 2; i >= 0; i--)
            x[i] -= c[i] * x[i + 1];
        sum += x[t];
        right[t] += x[t];
    }
    return sum;
}
