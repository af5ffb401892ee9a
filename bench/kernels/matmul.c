/* matmul.c - dense matrix product in the plain order: loads with a stride, multiply and add. The size may come from the
 * command line, so that a compiler cannot specialise the loops for one size.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 200 };
static double a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 70, n = argc > 2 ? atoi(argv[2]) : MOST;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = c[i][j];
                for (int k = 0; k < n; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    printf("%.0f\n", c[n / 2][n / 3]);
    return 0;
}
