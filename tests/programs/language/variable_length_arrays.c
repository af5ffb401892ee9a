/* Variable-length arrays: sizes, rows, scopes left by every way, the stack given back (C11 6.7.6.2). */
#include <stdio.h>
#include <string.h>

static int sum(int rows, int columns, int a[rows][columns])
{
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            total += a[i][j];
    return total;
}

static long loops(int n)
{
    long total = 0;
    for (int i = 0; i < 100000; i++) {
        int a[n + i % 7];
        memset(a, 0, sizeof a);
        a[i % n] = i;
        total += a[i % n] + (long)sizeof a;
        if (i % 5 == 0)
            continue;
        double b[n];
        b[0] = i;
        if (i == 99990)
            break;
        if (i % 3 == 0)
            goto next;
        total += (long)b[0] & 1;
    next:;
    }
    return total;
}

static int backwards(int n)
{
    int turns = 0;
again:;
    char buffer[n * 1000];
    buffer[0] = (char)turns;
    buffer[n * 1000 - 1] = 1;
    if (++turns < 50000)
        goto again;
    return turns + buffer[n * 1000 - 1];
}

static int recursive(int depth)
{
    int a[depth + 1];
    for (int i = 0; i <= depth; i++)
        a[i] = depth;
    int below = depth ? recursive(depth - 1) : 0;
    return below + a[depth] + a[0];
}

static int choose(int n)
{
    switch (n) {
    case 1: {
        int a[n + 2];
        a[2] = 7;
        return a[2];
    }
    default: {
        short a[n];
        a[n - 1] = 9;
        if (n > 5)
            break;
        return a[n - 1];
    }
    }
    return -1;
}

int main(void)
{
    int n = 3, m = 4;
    int a[n][m];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 10 + j;
    printf("%zu %zu %zu %d\n", sizeof a, sizeof a[0], sizeof *a[0], sum(n, m, a));
    int(*p)[m] = a + 1;
    n = 100;
    printf("%d %d %zu %zu %ld\n", p[1][2], (*p)[3], sizeof a, sizeof *p, (long)(p - a));
    p++;
    p -= 2;
    printf("%d\n", p[0][1]);
    typedef double Row[m];
    m = 77;
    Row row, rows[2];
    row[3] = 2.5;
    rows[1][3] = row[3] * 2;
    printf("%zu %zu %g\n", sizeof row, sizeof rows, rows[1][3]);
    printf("%ld %d %d\n", loops(10), backwards(2), recursive(40));
    printf("%d %d %d\n", choose(1), choose(3), choose(6));
    printf("%zu\n", sizeof(char[n + 1][2]));
    int k = 5;
    char text[k++], (*q)[k] = NULL;
    printf("%zu %d %zu\n", sizeof text, k, sizeof *q);
    for (int round = 0; round < 3; round++) {
        int size = round + 1, v[size][size];
        v[size - 1][size - 1] = size;
        {
            int w[v[size - 1][size - 1]];
            w[0] = round;
            printf("%zu %d ", sizeof w / sizeof *w, w[0]);
        }
    }
    printf("\n");
    return 0;
}
