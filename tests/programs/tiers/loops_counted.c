/* Counted loops of all shapes: steps, directions, no trips, one trip, bounds at the ends of the types (C11 6.8.5). */
#include <limits.h>
#include <stdio.h>

static long up(long from, long to, long step)
{
    long n = 0;
    for (long i = from; i < to; i += step)
        n = n * 3 + i;
    return n;
}

static long down(long from, long to, long step)
{
    long n = 0;
    for (long i = from; i >= to; i -= step)
        n = n * 3 + i;
    return n;
}

static unsigned down_unsigned(unsigned from)
{
    unsigned n = 0;
    while (from-- > 0)
        n = n * 5 + from;
    return n;
}

static long until_equal(int from, int to, int step)
{
    long n = 0;
    for (int i = from; i != to; i += step)
        n += (long)i * n + 1;
    return n;
}

static long near_the_end(void)
{
    long n = 0;
    for (long i = LONG_MAX - 70; i < LONG_MAX - 3; i += 3)
        n ^= i * 7;
    for (long i = LONG_MIN + 70; i > LONG_MIN + 3; i -= 3)
        n ^= i * 11;
    for (unsigned long i = ULONG_MAX - 100; i > 100; i++)
        n += (long)i;
    for (int i = INT_MAX - 50; i < INT_MAX; i++)
        n += i;
    return n;
}

static long nested(int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += 2)
            for (int k = j; k > i; k -= 3)
                sum += i * 10000 + j * 100 + k;
    return sum;
}

int main(void)
{
    static const long ends[] = {-5, 0, 1, 2, 7, 64, 1001};
    for (unsigned e = 0; e < sizeof ends / sizeof *ends; e++)
        for (long step = 1; step < 9; step += 3)
            printf("%ld %ld: %ld %ld\n", ends[e], step, up(0, ends[e], step), down(ends[e], 0, step));
    printf("%u %u %u\n", down_unsigned(0), down_unsigned(1), down_unsigned(3000));
    printf("%ld %ld %ld\n", until_equal(0, 0, 1), until_equal(0, 999, 3), until_equal(50, -1000, -7));
    printf("%ld\n%ld\n", near_the_end(), nested(40));
}
