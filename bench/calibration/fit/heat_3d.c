/* Heat equation in three dimensions, seven-point stencil. */
enum { N = 22, TURNS = 4 };
static volatile int size = N;
static double now[N][N][N], next[N][N][N];

static void step(double (*from)[N][N], double (*to)[N][N])
{
    int n = size - 1;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++)
                to[i][j][k] = from[i][j][k] +
                              0.1 * (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] + from[i][j + 1][k] +
                                     from[i][j][k - 1] + from[i][j][k + 1] - 6.0 * from[i][j][k]);
}

double kernel(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                now[i][j][k] = next[i][j][k] = i == 0 ? 1.0 : 0.0;
    for (int t = 0; t < TURNS; t++) {
        step(now, next);
        step(next, now);
    }
    return now[2][N / 2][N / 2];
}
