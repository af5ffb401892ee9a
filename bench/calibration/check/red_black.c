/* Gauss-Seidel with red-black ordering on a square. */
enum { N = 66, SWEEPS = 8 };
static double u[N][N], f[N][N];

static double sweep(int n, int colour)
{
    double change = 0.0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2) {
            double fresh = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
            double d = fresh - u[i][j];
            change += d * d;
            u[i][j] = fresh;
        }
    return change;
}

double kernel(void)
{
    double change = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            u[i][j] = i == 0;
            f[i][j] = 0.001 * (i - j);
        }
    for (int t = 0; t < SWEEPS; t++)
        change = sweep(N, 0) + sweep(N, 1);
    return change;
}
