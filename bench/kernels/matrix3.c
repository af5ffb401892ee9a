/* matrix3.c - 3x3 matrices as arrays of arrays: products, transposes and determinants in functions with loops.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 3

static void mul(double c[N][N], double a[N][N], double b[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void transpose(double t[N][N], double a[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[j][i] = a[i][j];
}

static double det(double a[N][N])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 5000000;
    double a[N][N], b[N][N], c[N][N], t[N][N], s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + 0.5 * j - (i == j);
            b[i][j] = (i == j) + 0.01 * i * j;
        }
    for (int k = 0; k < turns; k++) {
        mul(c, a, b);
        transpose(t, c);
        mul(a, t, b);
        double d = det(a);
        double f = 1 / (1 + fabs(d));
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = a[i][j] * f + 0.1 * (i - j);
        s += d;
    }
    printf("%.9g\n", s);
    return 0;
}
