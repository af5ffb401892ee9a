/* omp.c - <omp.h>: what programs ask and set of threads, teams, internal control variables and devices. */
#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "omp_team.h"

static struct omp_icvs *icvs(void)
{
    return &__omp_self()->at.task->icvs;
}

static const struct omp_team *team(void)
{
    return __omp_self()->at.team;
}

#define ANSWER(type, name, value)                                                                                      \
    type name(void)                                                                                                    \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

ANSWER(int, omp_get_num_threads, (int)team()->n)
ANSWER(int, omp_get_thread_num, (int)__ORRERY_NOTE(__omp_self()->at.number, __ORRERY_OWNS))
ANSWER(int, omp_get_max_threads, (int)icvs()->threads)
ANSWER(int, omp_get_num_procs,
       (__omp_read_environment(), __omp_globals.n_places ? __omp_globals.processors : (int)__orrery_processors()))
ANSWER(int, omp_in_parallel, team()->active_level > 0)
ANSWER(int, omp_get_dynamic, icvs()->dynamic)
ANSWER(int, omp_get_nested, icvs()->levels > 1 && icvs()->levels > (int)team()->active_level)
ANSWER(int, omp_get_thread_limit, icvs()->thread_limit > INT_MAX ? INT_MAX : (int)icvs()->thread_limit)
ANSWER(int, omp_get_max_active_levels, icvs()->levels)
ANSWER(int, omp_get_supported_active_levels, OMP_MOST_LEVELS)
ANSWER(int, omp_get_level, (int)team()->level)
ANSWER(int, omp_get_active_level, (int)team()->active_level)
ANSWER(int, omp_in_final, __omp_self()->at.task->final)
ANSWER(int, omp_get_cancellation, (__omp_read_environment(), __omp_globals.cancellation))
ANSWER(int, omp_get_max_task_priority, (__omp_read_environment(), __omp_globals.most_priority))
ANSWER(omp_proc_bind_t, omp_get_proc_bind, icvs()->bind)
ANSWER(int, omp_get_default_device, icvs()->device)
ANSWER(int, omp_get_num_devices, 0)
ANSWER(int, omp_get_device_num, 0)
ANSWER(int, omp_get_initial_device, 0)
ANSWER(int, omp_is_initial_device, 1)
ANSWER(int, omp_get_num_teams, (int)team()->league)
ANSWER(int, omp_get_team_num, (int)team()->number)

void omp_set_num_threads(int count)
{
    icvs()->threads = count > 0 ? (unsigned)count : 1;
}

void omp_set_dynamic(int flag)
{
    icvs()->dynamic = flag != 0;
}

void omp_set_nested(int flag)
{
    struct omp_icvs *mine = icvs();
    if (flag)
        mine->levels = OMP_MOST_LEVELS;
    else if (mine->levels > 1)
        mine->levels = 1;
}

void omp_set_max_active_levels(int levels)
{
    if (levels >= 0)
        icvs()->levels = levels < OMP_MOST_LEVELS ? levels : OMP_MOST_LEVELS;
}

void omp_set_default_device(int device)
{
    icvs()->device = device >= 0 ? device : 0;
}

void omp_set_schedule(omp_sched_t kind, int chunk)
{
    struct omp_icvs *mine = icvs();
    unsigned plain = (unsigned)kind & ~(unsigned)omp_sched_monotonic;
    if (plain < omp_sched_static || plain > omp_sched_auto)
        return;
    if (plain != omp_sched_auto)
        mine->chunk = chunk > 0 ? chunk : plain != omp_sched_static;
    mine->schedule = (unsigned)kind;
}

void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    const struct omp_icvs *mine = icvs();
    *kind = (omp_sched_t)mine->schedule;
    *chunk = mine->chunk;
}

int omp_get_ancestor_thread_num(int level)
{
    const struct omp_at *at = &__omp_self()->at;
    const struct omp_team *of = at->team;
    unsigned number = at->number;
    if (level < 0 || level > (int)of->level)
        return -1;
    for (; (int)of->level > level; of = of->outer)
        number = of->outer_number;
    return (int)number;
}

int omp_get_team_size(int level)
{
    const struct omp_team *of = team();
    if (level < 0 || level > (int)of->level)
        return -1;
    while ((int)of->level > level)
        of = of->outer;
    return (int)of->n;
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

/* -- memory of devices: the host is the only one ----------------------------------------------- */

static bool is_host(int device)
{
    return device == omp_get_initial_device();
}

void *omp_target_alloc(unsigned long size, int device)
{
    return is_host(device) ? malloc(size) : NULL;
}

void omp_target_free(void *memory, int device)
{
    if (is_host(device))
        free(memory);
}

int omp_target_is_present(const void *memory, int device)
{
    return memory == NULL || is_host(device);
}

int omp_target_memcpy(void *to, const void *from, unsigned long length, unsigned long to_offset,
                      unsigned long from_offset, int to_device, int from_device)
{
    if (!is_host(to_device) || !is_host(from_device))
        return EINVAL;
    memcpy((char *)to + to_offset, (const char *)from + from_offset, length);
    return 0;
}

static void copy_box(char *to, const char *from, unsigned long element, int dimensions, const unsigned long *volume,
                     const unsigned long *to_offsets, const unsigned long *from_offsets,
                     const unsigned long *to_dimensions, const unsigned long *from_dimensions)
{
    unsigned long to_slice = element, from_slice = element;
    for (int i = 1; i < dimensions; i++) {
        to_slice *= to_dimensions[i];
        from_slice *= from_dimensions[i];
    }
    to += to_offsets[0] * to_slice;
    from += from_offsets[0] * from_slice;
    if (dimensions == 1) {
        memcpy(to, from, volume[0] * element);
        return;
    }
    for (unsigned long i = 0; i < volume[0]; i++)
        copy_box(to + i * to_slice, from + i * from_slice, element, dimensions - 1, volume + 1, to_offsets + 1,
                 from_offsets + 1, to_dimensions + 1, from_dimensions + 1);
}

int omp_target_memcpy_rect(void *to, const void *from, unsigned long element, int dimensions,
                           const unsigned long *volume, const unsigned long *to_offsets,
                           const unsigned long *from_offsets, const unsigned long *to_dimensions,
                           const unsigned long *from_dimensions, int to_device, int from_device)
{
    if (!to && !from)
        return INT_MAX; /* the most dimensions that are supported */
    if (!is_host(to_device) || !is_host(from_device) || element == 0 || dimensions < 1)
        return EINVAL;
    copy_box(to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions);
    return 0;
}

int omp_target_associate_ptr(const void *host, const void *memory, unsigned long size, unsigned long offset, int device)
{
    (void)host, (void)memory, (void)size, (void)offset, (void)device;
    return EINVAL; /* the host's memory is present as it is */
}

int omp_target_disassociate_ptr(const void *host, int device)
{
    (void)host, (void)device;
    return EINVAL;
}
