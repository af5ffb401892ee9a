/* The functions of <omp.h>: teams, nesting, schedules, memory of devices, locks; the order of tasks in a team of one.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int order[64], n_order;
int main(void)
{
    omp_sched_t kind;
    int chunk;
    printf("%d %d %d %d\n", omp_get_level(), omp_get_active_level(), omp_get_num_threads(), omp_in_parallel());
    omp_set_num_threads(3);
    printf("%d\n", omp_get_max_threads());
    omp_set_schedule(omp_sched_guided, 7);
    omp_get_schedule(&kind, &chunk);
    printf("%d %d\n", kind, chunk);
    omp_set_schedule(omp_sched_static, 0);
    omp_get_schedule(&kind, &chunk);
    printf("%d %d\n", kind, chunk);
    omp_set_schedule(omp_sched_dynamic, -3);
    omp_get_schedule(&kind, &chunk);
    printf("%d %d\n", kind, chunk);
    omp_set_schedule(omp_sched_auto, 5);
    omp_get_schedule(&kind, &chunk);
    printf("%d %d\n", kind, chunk);
    printf("%d %d %d\n", omp_get_dynamic(), omp_get_nested(), omp_get_max_active_levels());
    omp_set_dynamic(1);
    printf("%d\n", omp_get_dynamic());
    omp_set_dynamic(0);
    omp_set_nested(1);
    printf("%d %d\n", omp_get_nested(), omp_get_max_active_levels());
    omp_set_max_active_levels(2);
    printf("%d %d\n", omp_get_nested(), omp_get_max_active_levels());
    int bad = 0;
#pragma omp parallel
    {
        if (omp_get_num_threads() != 3 || !omp_in_parallel() || omp_get_level() != 1)
            bad++;
        omp_set_num_threads(2);
#pragma omp parallel reduction(+ : bad)
        {
            if (omp_get_num_threads() != 2 || omp_get_level() != 2 || omp_get_active_level() != 2)
                bad++;
#pragma omp parallel reduction(+ : bad)
            {
                if (omp_get_num_threads() != 1 || omp_get_level() != 3 || omp_get_active_level() != 2 ||
                    omp_get_thread_num())
                    bad++;
                if (omp_get_ancestor_thread_num(0) || omp_get_ancestor_thread_num(4) != -1 ||
                    omp_get_team_size(2) != 2 || omp_get_team_size(1) != 3 || omp_get_team_size(0) != 1)
                    bad++;
            }
        }
    }
    printf("bad %d max %d\n", bad, omp_get_max_threads());
    int data[4][6], to[4][6];
    memset(to, 0, sizeof to);
    for (int i = 0; i < 24; i++)
        data[i / 6][i % 6] = i;
    unsigned long vol[2] = {2, 3}, off[2] = {1, 2}, from[2] = {0, 1}, dims[2] = {4, 6};
    int h = omp_get_initial_device();
    printf("%d ", omp_target_memcpy_rect(to, data, sizeof(int), 2, vol, off, from, dims, dims, h, h));
    for (int i = 0; i < 24; i++)
        printf("%d ", to[i / 6][i % 6]);
    puts("");
    int *p = omp_target_alloc(40, h);
    printf("%d %d %d\n", p != 0, omp_target_is_present(p, h), omp_target_memcpy(p, data, 40, 0, 4, h, h));
    printf("%d\n", p[3]);
    omp_target_free(p, h);
    printf("%d %d %d %d\n", omp_get_num_teams(), omp_get_team_num(), omp_is_initial_device(), omp_get_cancellation());
    int f = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
        for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(i) priority(i)
            order[n_order++] = i;
        }
#pragma omp taskwait
        for (int i = 10; i < 16; i++) {
#pragma omp task firstprivate(i)
            order[n_order++] = i;
        }
#pragma omp taskgroup
        for (int i = 20; i < 24; i++) {
#pragma omp task firstprivate(i) final(i == 21)
            {
                order[n_order++] = i;
                f += omp_in_final();
#pragma omp task firstprivate(i)
                order[n_order++] = i + 100;
            }
        }
#pragma omp taskloop grainsize(2)
        for (int i = 30; i < 39; i++)
            order[n_order++] = i;
    }
    for (int i = 0; i < n_order; i++)
        printf("%d ", order[i]);
    printf("\nfinal %d\n", f);
    omp_lock_t l;
    omp_init_lock(&l);
    printf("%d ", omp_test_lock(&l));
    printf("%d\n", omp_test_lock(&l));
    omp_unset_lock(&l);
    omp_destroy_lock(&l);
    omp_nest_lock_t nl;
    omp_init_nest_lock(&nl);
    printf("%d ", omp_test_nest_lock(&nl));
    printf("%d\n", omp_test_nest_lock(&nl));
    omp_unset_nest_lock(&nl);
    omp_unset_nest_lock(&nl);
    double t = omp_get_wtime();
    printf("%d %d\n", omp_get_wtime() >= t, omp_get_wtick() > 0);
    return 0;
}
