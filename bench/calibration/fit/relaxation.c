/* Gauss-Seidel relaxation: each point waits for its left neighbour. */
enum { N = 64, TURNS = 8 };
static double grid[N][N];

static volatile int size = N;

double kernel(void)
{
    int n = size;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid[i][j] = i * j % 5;
    for (int t = 0; t < TURNS; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                grid[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
    return grid[N / 2][N / 2];
}
