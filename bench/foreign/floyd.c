/* floyd.c - all shortest paths of a graph by Floyd and Warshall, with the way back. */
#include <stdio.h>
#include <stdlib.h>

#define MAX 400
#define FAR 1000000000
static int dist[MAX][MAX], next[MAX][MAX];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 8, n = argc > 2 ? atoi(argv[2]) : 300;
    long sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        unsigned seed = (unsigned)turn + 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                seed = seed * 1664525 + 1013904223;
                dist[i][j] = i == j ? 0 : (seed >> 24) < 20 ? (int)(seed >> 12) % 100 + 1 : FAR;
                next[i][j] = j;
            }
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (dist[i][k] + dist[k][j] < dist[i][j]) {
                        dist[i][j] = dist[i][k] + dist[k][j];
                        next[i][j] = next[i][k];
                    }
        for (int i = 0; i < n; i++)
            sum += dist[i][(i * 7) % n] + next[i][(i * 11) % n];
    }
    printf("%ld\n", sum);
    return 0;
}
