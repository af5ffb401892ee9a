/* A team of eight on three cores: places say which of them a thread has, and two threads of a place share it. Regions
 * take as long as the fullest core. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { TEAM = 8 };

static void work(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

int main(void)
{
    int wrong = 0, places[TEAM], sum = 0;
    printf("%d processors, %d places\n", omp_get_num_procs(), omp_get_num_places());
#pragma omp parallel num_threads(TEAM) reduction(+ : wrong, sum) proc_bind(close)
    {
        int ids[8], place = omp_get_place_num();
        omp_get_place_proc_ids(place, ids);
        places[omp_get_thread_num()] = place;
        for (int i = 0; i < 5; i++) {
            work(5000);
            wrong += omp_get_place_num_procs(place) != 1 || sched_getcpu() != ids[0];
        }
#pragma omp barrier
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 100; i++) {
            work(200);
            sum += i;
        }
#pragma omp critical
        work(100);
    }
    for (int i = 0; i < TEAM; i++)
        printf("%d%c", places[i], i < TEAM - 1 ? ' ' : '\n');
    printf("%d wrong, sum %d\n", wrong, sum);
    return 0;
}
