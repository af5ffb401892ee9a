/* The game of life: a stencil of small integers. */
enum { N = 66, TURNS = 10 };
static int now[N][N], next[N][N];

double kernel(void)
{
    int alive = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            now[i][j] = (i * 7 + j * 13) % 5 == 0;
    for (int t = 0; t < TURNS; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                int near = now[i - 1][j - 1] + now[i - 1][j] + now[i - 1][j + 1] + now[i][j - 1] + now[i][j + 1] +
                           now[i + 1][j - 1] + now[i + 1][j] + now[i + 1][j + 1];
                next[i][j] = near == 3 || (near == 2 && now[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                now[i][j] = next[i][j];
    }
    for (int i = 0; i < N; i++)
        alive += now[i][N / 2];
    return alive;
}
