/* matmul.c - dense matrix product in the plain order: loads with a stride, multiply and add. */
#include <stdio.h>

enum { N = 200, TURNS = 12 };
static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = c[i][j];
                for (int k = 0; k < N; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    printf("%.0f\n", c[N / 2][N / 3]);
    return 0;
}
