/* Minimum spanning tree (Prim), distances in a matrix. */
enum { N = 110 };
static int cost[N][N], nearest[N], parent[N];
static char done[N];
static volatile int size = N;

double kernel(void)
{
    int n = size;
    long total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i][j] = 1 + (i ^ j) * 37 % 101 + (i + j) % 7;
    for (int i = 0; i < n; i++) {
        nearest[i] = cost[0][i];
        parent[i] = 0;
        done[i] = i == 0;
    }
    for (int k = 1; k < n; k++) {
        int best = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (best < 0 || nearest[i] < nearest[best]))
                best = i;
        done[best] = 1;
        total += nearest[best];
        for (int i = 0; i < n; i++)
            if (!done[i] && cost[best][i] < nearest[i]) {
                nearest[i] = cost[best][i];
                parent[i] = best;
            }
    }
    return (double)total + parent[n - 1];
}
