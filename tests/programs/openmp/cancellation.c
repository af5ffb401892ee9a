/* cancel and cancellation points in loops, sections, taskgroups and parallel regions. */
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int found = -1, passed = 0, done = 0, tasks = 0, sects = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 1000; i++) {
            if (i == 30) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
#pragma omp cancellation point for
#pragma omp atomic
            done++;
        }
#pragma omp atomic
        passed++;
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                sects++;
    }
#pragma omp section
    {
#pragma omp cancellation point sections
    }
}
#pragma omp single
{
#pragma omp taskgroup
    for (int i = 0; i < 100; i++) {
#pragma omp task
        {
#pragma omp cancellation point taskgroup
            int mine;
#pragma omp atomic capture
            mine = ++tasks;
            if (mine == 10) {
#pragma omp cancel taskgroup
            }
        }
    }
}
if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
}
#pragma omp barrier
#pragma omp atomic
passed += 100;
}
printf("%d %d %d %d %d %d\n", omp_get_cancellation(), found, done < 1000, passed, tasks < 100, sects);
return 0;
}
