/* Linear equations by elimination with pivoting. */
enum { N = 40 };
static double a[N][N + 1];

double kernel(void)
{
    unsigned state = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++) {
            state = state * 1103515245u + 12345u;
            a[i][j] = (state >> 16 & 255) - 100.0;
        }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (a[i][k] * a[i][k] > a[pivot][k] * a[pivot][k])
                pivot = i;
        for (int j = k; j <= N; j++) {
            double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = k + 1; i < N; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= N; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    return a[N - 1][N] / a[N - 1][N - 1];
}
