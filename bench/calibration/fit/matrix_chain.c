/* The best order for a product of several matrices: dynamic programming over intervals. */
enum { N = 44 };
static long cost[N][N];
static int rows[N + 1];

double kernel(void)
{
    for (int i = 0; i <= N; i++)
        rows[i] = 5 + i * 29 % 41;
    for (int i = 0; i < N; i++)
        cost[i][i] = 0;
    for (int length = 2; length <= N; length++)
        for (int i = 0; i + length <= N; i++) {
            int j = i + length - 1;
            long best = 1l << 60;
            for (int k = i; k < j; k++) {
                long c = cost[i][k] + cost[k + 1][j] + (long)rows[i] * rows[k + 1] * rows[j + 1];
                if (c < best)
                    best = c;
            }
            cost[i][j] = best;
        }
    return (double)cost[0][N - 1];
}
