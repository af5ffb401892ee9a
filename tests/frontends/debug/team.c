/* Threads of OpenMP. */
#include <omp.h>
#include <stdio.h>

static int total;
static int mine;
#pragma omp threadprivate(mine)

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        int number = omp_get_thread_num();
        mine = number + 10;
#pragma omp barrier
        sum += number;
#pragma omp critical
        total += mine;
    }
    printf("%d %d\n", sum, total);
    return 0;
}
