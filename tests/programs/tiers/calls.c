/* Calls of all kinds out of loops: recursion of several sorts, many arguments, structures by value, pointers, variable
 * arguments, calls back from the library. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Pair {
    long a, b;
};
struct Large {
    int v[40];
};

static int is_odd(unsigned n);
static int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}
static int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static long ackermann(long m, long n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static long many(char a, short b, int c, long d, float e, double f, unsigned char g, unsigned h, long *i, int j, int k, int l,
                 int m, double n, long o, int p, int q)
{
    *i += a + b + c + d + (long)(e + f) + g + h;
    return j - k + l * m + (long)n + o % (p + 1) - q;
}

static struct Pair swap(struct Pair p, struct Large l)
{
    l.v[p.a % 40 < 0 ? 0 : p.a % 40]++;
    return (struct Pair){p.b + l.v[3], p.a + l.v[39]};
}

static long add_all(int n, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        sum = sum * 3 + (i % 2 ? (long)va_arg(list, double) : va_arg(list, int));
    va_end(list);
    return sum;
}

static long plus(long a, long b)
{
    return a + b;
}
static long minus(long a, long b)
{
    return a - b;
}
static long times(long a, long b)
{
    return a * b;
}

static int compared;
static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    for (int i = 0; i < 3; i++)
        compared += i;
    return (a > b) - (a < b);
}

static double complex turn(double complex z, int n)
{
    for (int i = 0; i < n; i++)
        z = z * (0.8 + 0.6 * I) + 0.01;
    return z;
}

int main(void)
{
    long (*const operations[])(long, long) = {plus, minus, times, plus};
    struct Pair pair = {1, 2};
    struct Large large = {{1, 2, 3}};
    long side = 0, sum = 0;
    int numbers[300];
    for (int i = 0; i < 200; i++) {
        sum += is_even((unsigned)i) * 3 + is_odd((unsigned)i * 2);
        sum += many((char)i, (short)(i * 300), i, i * 1000000L, (float)i / 4, i / 8.0, (unsigned char)i, (unsigned)-i, &side,
                    i, 2, i, 4, i * 1.5, i * 77, i, 9);
        pair = swap(pair, large);
        large.v[39 - i % 40] += (int)pair.a & 7;
        sum = operations[i % 4](sum, i + 1) % 1000000007;
        sum += add_all(i % 5, 1, 2.5, i, i * 0.5, 3);
    }
    printf("%ld %ld %ld %ld\n", sum, side, pair.a, pair.b);
    printf("%ld\n", ackermann(2, 30));
    for (int i = 0; i < 300; i++)
        numbers[i] = i * 7919 % 1009;
    qsort(numbers, 300, sizeof *numbers, by_value);
    for (int i = 0, key; i < 100; i++) {
        key = i * 10;
        int *found = bsearch(&key, numbers, 300, sizeof *numbers, by_value);
        sum = sum * 3 + (found ? found - numbers : -1);
    }
    printf("%d %d %d %ld %d\n", numbers[0], numbers[150], numbers[299], sum, compared);
    double complex z = turn(1, 1000);
    printf("%.17g %.17g\n", creal(z), cimag(z));
}
