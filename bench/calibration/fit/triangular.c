/* Triangular systems solved backwards. */
enum { N = 70, TURNS = 6 };
static double a[N][N], x[N], right[N];

double kernel(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? 4.0 : 1.0 / (1 + i + j);
        right[i] = i;
    }
    for (int t = 0; t < TURNS; t++)
        for (int i = N - 1; i >= 0; i--) {
            double sum = right[i] + t;
            for (int j = i + 1; j < N; j++)
                sum -= a[i][j] * x[j];
            x[i] = sum / a[i][i];
        }
    return x[0];
}
