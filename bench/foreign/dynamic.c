/* dynamic.c - dynamic programming: order of a chain of matrices, knapsack, longest common subsequence, change of coins.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int max(int a, int b)
{
    return a > b ? a : b;
}

static long chain(const int *p, int n)
{
    static long m[130][130];
    for (int i = 0; i < n; i++)
        m[i][i] = 0;
    for (int len = 2; len <= n; len++)
        for (int i = 0; i + len - 1 < n; i++) {
            int j = i + len - 1;
            m[i][j] = LONG_MAX;
            for (int k = i; k < j; k++) {
                long cost = m[i][k] + m[k + 1][j] + (long)p[i] * p[k + 1] * p[j + 1];
                if (cost < m[i][j])
                    m[i][j] = cost;
            }
        }
    return m[0][n - 1];
}

static int knapsack(const int *weight, const int *value, int n, int capacity)
{
    static int best[5001];
    memset(best, 0, sizeof best);
    for (int i = 0; i < n; i++)
        for (int w = capacity; w >= weight[i]; w--)
            best[w] = max(best[w], best[w - weight[i]] + value[i]);
    return best[capacity];
}

static int lcs(const char *a, const char *b)
{
    static int c[301][301];
    int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            if (a[i - 1] == b[j - 1])
                c[i][j] = c[i - 1][j - 1] + 1;
            else
                c[i][j] = max(c[i - 1][j], c[i][j - 1]);
    return c[n][m];
}

static long long coins(const int *coin, int n, int amount)
{
    static long long ways[10001];
    memset(ways, 0, sizeof ways);
    ways[0] = 1;
    for (int i = 0; i < n; i++)
        for (int a = coin[i]; a <= amount; a++)
            ways[a] += ways[a - coin[i]];
    return ways[amount];
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 260;
    static const int coin[] = {1, 2, 5, 10, 20, 50, 100, 200};
    int p[130], weight[100], value[100];
    char a[301], b[301];
    long long sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < 130; i++)
            p[i] = (i * 37 + turn) % 50 + 1;
        for (int i = 0; i < 100; i++) {
            weight[i] = (i * 29 + turn) % 90 + 10;
            value[i] = (i * 53) % 97 + 1;
        }
        for (int i = 0; i < 300; i++) {
            a[i] = (char)('a' + (i * i + turn) % 5);
            b[i] = (char)('a' + (i * 7 + turn) % 4);
        }
        a[300] = b[300] = 0;
        sum += chain(p, 120) + knapsack(weight, value, 100, 5000) + lcs(a, b) + coins(coin, 8, 10000) % 1000003;
    }
    printf("%lld\n", sum);
    return 0;
}
