/* omp.c - <omp.h>: the answers of an OpenMP runtime whose teams have one thread, as libgomp gives them for one. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int dynamic, nested, levels = 1, default_device, schedule_chunk;
static omp_sched_t schedule_kind = omp_sched_dynamic;

#define ANSWER(name, value)                                                                                            \
    int name(void)                                                                                                     \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

ANSWER(omp_get_num_threads, 1)
ANSWER(omp_get_max_threads, 1)
ANSWER(omp_get_thread_num, 0)
ANSWER(omp_get_num_procs, 1)
ANSWER(omp_in_parallel, 0)
ANSWER(omp_get_dynamic, dynamic)
ANSWER(omp_get_nested, nested)
ANSWER(omp_get_thread_limit, 1)
ANSWER(omp_get_max_active_levels, levels)
ANSWER(omp_get_supported_active_levels, 1)
ANSWER(omp_get_level, 0)
ANSWER(omp_get_active_level, 0)
ANSWER(omp_in_final, 0)
ANSWER(omp_get_cancellation, 0)
ANSWER(omp_get_num_places, 0)
ANSWER(omp_get_place_num, -1)
ANSWER(omp_get_partition_num_places, 0)
ANSWER(omp_get_default_device, default_device)
ANSWER(omp_get_num_devices, 0)
ANSWER(omp_get_device_num, 0)
ANSWER(omp_get_num_teams, 1)
ANSWER(omp_get_team_num, 0)
ANSWER(omp_is_initial_device, 1)
ANSWER(omp_get_initial_device, 0)
ANSWER(omp_get_max_task_priority, 0)

void omp_set_num_threads(int count)
{
    (void)count; /* the count is only a wish; a team has one thread all the same */
}

void omp_set_dynamic(int flag)
{
    dynamic = flag != 0;
}

void omp_set_nested(int flag)
{
    nested = flag != 0;
}

void omp_set_max_active_levels(int count)
{
    if (count >= 0)
        levels = count;
}

void omp_set_default_device(int device)
{
    default_device = device;
}

void omp_set_schedule(omp_sched_t kind, int chunk)
{
    schedule_kind = kind;
    schedule_chunk = chunk;
}

void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    *kind = schedule_kind;
    *chunk = schedule_chunk > 0 ? schedule_chunk : 1;
}

int omp_get_ancestor_thread_num(int level)
{
    return level == 0 ? 0 : -1;
}

int omp_get_team_size(int level)
{
    return level == 0 ? 1 : -1;
}

omp_proc_bind_t omp_get_proc_bind(void)
{
    return omp_proc_bind_false;
}

int omp_get_place_num_procs(int place)
{
    (void)place;
    return 0;
}

void omp_get_place_proc_ids(int place, int *ids)
{
    (void)place, (void)ids;
}

void omp_get_partition_place_nums(int *numbers)
{
    (void)numbers;
}

double omp_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double omp_get_wtick(void)
{
    return 1e-9;
}

/* -- locks ------------------------------------------------------------------------------------- */

void omp_init_lock(omp_lock_t *lock)
{
    lock->orrery_locked = 0;
}

void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
    (void)hint;
    omp_init_lock(lock);
}

void omp_destroy_lock(omp_lock_t *lock)
{
    lock->orrery_locked = 0;
}

int omp_test_lock(omp_lock_t *lock)
{
    return lock->orrery_locked ? 0 : (lock->orrery_locked = 1);
}

void omp_set_lock(omp_lock_t *lock)
{
    if (omp_test_lock(lock))
        return;
    fprintf(stderr, "omp_set_lock: the only thread of this rank would wait for itself forever\n");
    abort();
}

void omp_unset_lock(omp_lock_t *lock)
{
    lock->orrery_locked = 0;
}

void omp_init_nest_lock(omp_nest_lock_t *lock)
{
    lock->orrery_depth = 0;
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
    (void)hint;
    omp_init_nest_lock(lock);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
    lock->orrery_depth = 0;
}

void omp_set_nest_lock(omp_nest_lock_t *lock)
{
    lock->orrery_depth++;
}

void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
    if (lock->orrery_depth > 0)
        lock->orrery_depth--;
}

int omp_test_nest_lock(omp_nest_lock_t *lock)
{
    return ++lock->orrery_depth;
}
