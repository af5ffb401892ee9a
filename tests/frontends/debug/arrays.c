/* Arrays whose length is known when the program runs: of one and two dimensions, as parameters, after each other in a
 * loop, in a recursive function; types of many shapes. */
#include <stdio.h>

struct point {
    int x, y;
    unsigned flag : 3;
    double values[2];
};
typedef struct point Point;

static int sum(int n, int m, int table[n][m])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            total += table[i][j];
    return total;
}

static int nested(int depth)
{
    char text[depth + 1];
    for (int i = 0; i < depth; i++)
        text[i] = (char)('a' + i);
    text[depth] = 0;
    return depth == 1 ? text[0] : nested(depth - 1) + text[0];
}

int main(void)
{
    int n = 3, fixed[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*rows)[3] = fixed;
    double row[n];
    int table[n][n + 1];
    Point points[n], *point = points;
    int (*function)(int) = nested;
    for (int i = 0; i < n; i++) {
        row[i] = i / 2.0;
        points[i] = (Point){i, -i, 1, {0}};
        for (int j = 0; j <= n; j++)
            table[i][j] = 10 * i + j;
    }
    for (int length = 1; length < 3; length++) {
        int part[length];
        for (int i = 0; i < length; i++)
            part[i] = length;
        printf("%d\n", part[0]);
    }
    printf("%d %d %d\n", sum(n, n + 1, table), function(3), rows[1][2] + (int)row[1] + point->x);
    return 0;
}
