/* Memory of the frame that grows in loops: variable length arrays, alloca, addresses of locals handed down (6.7.6.2). */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static long touch(int *cells, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        cells[i] += i;
        sum = sum * 3 + cells[i];
    }
    return sum;
}

static long arrays(int rounds)
{
    long sum = 0;
    for (int n = 1; n < rounds; n++) {
        int row[n], grid[3][n % 7 + 1];
        for (int i = 0; i < n; i++)
            row[i] = i ^ n;
        memset(grid, n, sizeof grid);
        sum += touch(row, n) + grid[2][n % 7] + (long)sizeof row;
        if (n % 5 == 0)
            continue;
        if (n == rounds - 2)
            break;
    }
    return sum;
}

struct Chain {
    struct Chain *before;
    long value;
};

static long chain(int n)
{
    struct Chain *last = 0;
    for (int i = 0; i < n; i++) {
        struct Chain *link = alloca(sizeof *link);
        *link = (struct Chain){last, i};
        last = link;
    }
    long sum = 0;
    for (; last; last = last->before)
        sum = sum * 5 + last->value;
    return sum;
}

static long upwards(int depth, long *const *above)
{
    long here = depth;
    long *pointers[4] = {&here, above[0], above[1], above[2]};
    if (depth == 0)
        return here;
    long sum = upwards(depth - 1, pointers);
    for (int i = 0; i < 4; i++)
        *pointers[i] += sum % 100 + i;
    return sum * 3 + here;
}

int main(void)
{
    long a = 1, b = 2, c = 3;
    long *const first[] = {&a, &b, &c};
    printf("%ld\n", arrays(120));
    printf("%ld\n", chain(2000));
    printf("%ld\n", upwards(400, first));
    printf("%ld %ld %ld\n", a, b, c);
}
