/* linpack.c - a system of equations by LU in blocks of columns, with pivots, as HPL does it on one process: panel,
 * swaps, triangular solve, product; then the solution and its residual. A mini-application in one file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A(i, j) a[(size_t)(j) * (size_t)lda + (size_t)(i)]

static double random_value(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

static void daxpy(int n, double alpha, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

static int idamax(int n, const double *x)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best]))
            best = i;
    return best;
}

static void dscal(int n, double alpha, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] *= alpha;
}

static void dgemm(int m, int n, int k, const double *l, const double *u, double *a, int lda)
{
    for (int j = 0; j < n; j++)
        for (int p = 0; p < k; p++)
            daxpy(m, -u[(size_t)j * (size_t)lda + (size_t)p], l + (size_t)p * (size_t)lda, a + (size_t)j * (size_t)lda);
}

static void dtrsm(int k, int n, const double *l, double *b, int lda)
{
    for (int j = 0; j < n; j++)
        for (int p = 0; p < k; p++)
            for (int i = p + 1; i < k; i++)
                b[(size_t)j * (size_t)lda + (size_t)i] -=
                    l[(size_t)p * (size_t)lda + (size_t)i] * b[(size_t)j * (size_t)lda + (size_t)p];
}

static void swap_rows(double *a, int lda, int r, int s, int from, int to)
{
    for (int j = from; j < to; j++) {
        double t = A(r, j);
        A(r, j) = A(s, j);
        A(s, j) = t;
    }
}

static void panel(double *a, int lda, int n, int k, int width, int *pivot)
{
    for (int j = k; j < k + width; j++) {
        int p = j + idamax(n - j, &A(j, j));
        pivot[j] = p;
        if (p != j)
            swap_rows(a, lda, j, p, k, k + width);
        dscal(n - j - 1, 1.0 / A(j, j), &A(j + 1, j));
        for (int c = j + 1; c < k + width; c++)
            daxpy(n - j - 1, -A(j, c), &A(j + 1, j), &A(j + 1, c));
    }
}

static void factor(double *a, int lda, int n, int block, int *pivot)
{
    for (int k = 0; k < n; k += block) {
        int width = n - k < block ? n - k : block, rest = k + width;
        panel(a, lda, n, k, width, pivot);
        for (int j = k; j < rest; j++)
            if (pivot[j] != j) {
                swap_rows(a, lda, j, pivot[j], 0, k);
                swap_rows(a, lda, j, pivot[j], rest, n);
            }
        dtrsm(width, n - rest, &A(k, k), &A(k, rest), lda);
        dgemm(n - rest, n - rest, width, &A(rest, k), &A(k, rest), &A(rest, rest), lda);
    }
}

static void solve(const double *a, int lda, int n, const int *pivot, double *b)
{
    for (int j = 0; j < n; j++) {
        double t = b[pivot[j]];
        b[pivot[j]] = b[j];
        b[j] = t;
    }
    for (int j = 0; j < n; j++)
        daxpy(n - j - 1, -b[j], &A(j + 1, j), b + j + 1);
    for (int j = n - 1; j >= 0; j--) {
        b[j] /= A(j, j);
        daxpy(j, -b[j], &A(0, j), b);
    }
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 9, n = argc > 2 ? atoi(argv[2]) : 500, block = argc > 3 ? atoi(argv[3]) : 32,
        lda = n + 3;
    double *a = malloc(sizeof *a * (size_t)(lda * n)), *b = malloc(sizeof *b * (size_t)n),
           *r = malloc(sizeof *r * (size_t)n);
    int *pivot = malloc(sizeof *pivot * (size_t)n);
    double worst = 0, sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        unsigned long long start = (unsigned long long)turn + 1, state = start;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                A(i, j) = random_value(&state);
        for (int i = 0; i < n; i++)
            r[i] = b[i] = random_value(&state);
        factor(a, lda, n, block, pivot);
        solve(a, lda, n, pivot, b);
        state = start;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                r[i] -= random_value(&state) * b[j];
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(r[i]));
        sum += b[n / 2];
    }
    printf("%.6e %d\n", sum, worst < 1e-8);
    return 0;
}
