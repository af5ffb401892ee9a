/* Edit distance of two strings, by dynamic programming. */
#include "../shared/edit_distance.h"

enum { N = 150, M = 160 };
static char a[N], b[M];
static int row[M + 1];

double kernel(void)
{
    for (int i = 0; i < N; i++)
        a[i] = (char)('a' + i * i % 7);
    for (int j = 0; j < M; j++)
        b[j] = (char)('a' + j * 3 % 7);
    return distance(a, N, b, M, row);
}
