/* All shortest paths of a graph (Floyd and Warshall). */
enum { N = 60 };
static int distance[N][N];

static volatile int size = N;

double kernel(void)
{
    int n = size;
    long sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            distance[i][j] = i == j ? 0 : 1 + (i * 31 + j * 17) % 97;
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < n; j++)
                if (distance[i][k] + distance[k][j] < distance[i][j])
                    distance[i][j] = distance[i][k] + distance[k][j];
    for (int i = 0; i < N; i++)
        sum += distance[i][(i * 7 + 3) % N];
    return (double)sum;
}
