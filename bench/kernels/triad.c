/* triad.c - a[i] = b[i] + s * c[i] and y[i] += s * x[i] over vectors that fit the first-level cache. The length is a
 * constant, so gcc -O2 vectorises both loops. The number of iterations comes from the command line.
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024 };
static double a[N], b[N], c[N];

static void triad(double s)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] + s * c[i];
}

static void daxpy(double s)
{
    for (int i = 0; i < N; i++)
        b[i] += s * a[i];
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 130000;
    for (int i = 0; i < N; i++) {
        b[i] = i % 10;
        c[i] = (i * 7) % 13 - 6;
    }
    for (int turn = 0; turn < turns; turn++) {
        triad(0.5 - turn % 3 * 0.25);
        daxpy(turn % 2 ? 0.125 : -0.125);
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i];
    printf("%.6f\n", sum);
    return 0;
}
