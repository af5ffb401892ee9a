/* Wrong values in the environment are said once and ignored; right ones hold. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    printf("%d %d\n", kind, chunk);
    printf("%d %d %d\n", omp_get_max_threads(), omp_get_dynamic(), omp_get_thread_limit());
    printf("%d %d %d\n", omp_get_max_active_levels(), omp_get_max_task_priority(), omp_get_default_device());
#pragma omp parallel
#pragma omp critical
    printf("%d threads, then %d\n", omp_get_num_threads(), omp_get_max_threads());
    return 0;
}
