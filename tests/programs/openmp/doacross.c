/* A loop with ordered(2) whose iterations wait for their neighbours. */
#include <omp.h>
#include <stdio.h>
static unsigned long a[50][40];
int main(void)
{
#pragma omp parallel num_threads(4)
    for (int rep = 0; rep < 3; rep++) {
#pragma omp for ordered(2) schedule(dynamic, 1)
        for (int i = 1; i < 50; i++)
            for (int j = 1; j < 40; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                a[i][j] = a[i - 1][j] * 3 + a[i][j - 1] + i * j + a[i][j];
#pragma omp ordered depend(source)
            }
    }
    unsigned long s = 0;
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 40; j++)
            s = s * 31 + a[i][j];
    printf("%lx\n", s);
}
