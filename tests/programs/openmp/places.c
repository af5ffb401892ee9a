/* Places and proc_bind: which thread of a team gets which place, and what its partition is (OpenMP 4.5, 2.5.2). */
#include <omp.h>
#include <stdio.h>

static int place[16], first[16], count[16];

static void show(const char *what, int n)
{
    printf("%s:", what);
    for (int i = 0; i < n; i++)
        printf(" %d(%d+%d)", place[i], first[i], count[i]);
    printf("\n");
}

static void note(void)
{
    int numbers[16], i = omp_get_thread_num();
    omp_get_partition_place_nums(numbers);
    place[i] = omp_get_place_num();
    count[i] = omp_get_partition_num_places();
    first[i] = numbers[0];
}

int main(void)
{
    printf("%d places, bind %d\n", omp_get_num_places(), omp_get_proc_bind());
    for (int i = 0; i < omp_get_num_places(); i++) {
        int ids[16], n = omp_get_place_num_procs(i);
        omp_get_place_proc_ids(i, ids);
        printf("{%d..%d}", ids[0], ids[n - 1]);
    }
    printf("\n");
#pragma omp parallel num_threads(4) proc_bind(close)
    note();
    show("close 4", 4);
#pragma omp parallel num_threads(6) proc_bind(close)
    note();
    show("close 6", 6);
#pragma omp parallel num_threads(2) proc_bind(spread)
    note();
    show("spread 2", 2);
#pragma omp parallel num_threads(3) proc_bind(spread)
    note();
    show("spread 3", 3);
#pragma omp parallel num_threads(6) proc_bind(spread)
    note();
    show("spread 6", 6);
#pragma omp parallel num_threads(3) proc_bind(master)
    note();
    show("master 3", 3);
    return 0;
}
