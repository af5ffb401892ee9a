/* Factors and solves a system with a banded matrix, for several right-hand sides. */
enum { N = 200, BAND = 4, SIDES = 4 };
static double a[N][2 * BAND + 1], x[SIDES][N];
static volatile int half = BAND;

double kernel(void)
{
    int m = half;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k <= 2 * m; k++)
            a[i][k] = k == m ? 10.0 : -1.0 / (1 + k);
        for (int s = 0; s < SIDES; s++)
            x[s][i] = 1.0 + (i + s) % 5;
    }
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i <= k + m && i < N; i++) {
            double factor = a[i][k - i + m] / a[k][m];
            a[i][k - i + m] = factor;
            for (int j = k + 1; j <= k + m && j < N; j++)
                a[i][j - i + m] -= factor * a[k][j - k + m];
        }
    for (int s = 0; s < SIDES; s++) {
        for (int i = 0; i < N; i++)
            for (int j = i - m < 0 ? 0 : i - m; j < i; j++)
                x[s][i] -= a[i][j - i + m] * x[s][j];
        for (int i = N - 1; i >= 0; i--) {
            for (int j = i + 1; j <= i + m && j < N; j++)
                x[s][i] -= a[i][j - i + m] * x[s][j];
            x[s][i] /= a[i][m];
        }
    }
    return x[0][0] + x[SIDES - 1][N - 1];
}
