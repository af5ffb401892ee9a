/* Jacobi iteration with the five-point stencil. */
enum { N = 66, TURNS = 20 };
static double now[N][N], next[N][N];

static double sweep(double (*from)[N], double (*to)[N])
{
    double change = 0.0;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            double value = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            double difference = value - from[i][j];
            change += difference * difference;
            to[i][j] = value;
        }
    return change;
}

double kernel(void)
{
    double change = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            now[i][j] = next[i][j] = i == 0 ? 1.0 : 0.0;
    for (int t = 0; t < TURNS / 2; t++) {
        change = sweep(now, next);
        change += sweep(next, now);
    }
    return change;
}
