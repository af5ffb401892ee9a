/* A schedule of OMP_SCHEDULE that has no chunk there: what omp_get_schedule() tells of it, and OMP_DISPLAY_ENV does
 * not. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_sched_t kind;
    int chunk, sum = 0;
    omp_get_schedule(&kind, &chunk);
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    printf("%d %d %d\n", kind == omp_sched_auto, chunk, sum);
    return 0;
}
