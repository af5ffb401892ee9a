/* omp_target.c - OpenMP's target and teams regions. The only device is the host, so both run where they are met.
 *
 * Each begins as a program does: with one thread that is in no parallel region, and a contention group of its own. The
 * teams of a league cannot wait for each other, so one thread runs them in turn, as libgomp's does.
 */
#include "omp_team.h"

#include <stdlib.h>

/* Runs body(data) as the thread of the team alone. */
static void run(struct omp_team *team, struct omp_task *task, void (*body)(void *data), void *data)
{
    struct omp_thread *me = __omp_self();
    struct omp_at outer = me->at;
    me->at.team = team;
    me->at.number = 0;
    me->at.task = task;
    me->at.loop = NULL;
    me->at.loops = me->at.singles = 0;
    body(data);
    __omp_task_end_implicit(task);
    __omp_works_free(team);
    me->at = outer;
}

void __omp_target(void *record)
{
    struct omp_team team;
    struct omp_task task, *of = __omp_task_of(record);
    __omp_read_environment();
    __omp_team_initial(&team, &task, &__omp_globals.icvs);
    run(&team, &task, of->body, record);
    free(of);
}

void __omp_teams(void (*body)(void *data), void *data, int num_teams, int thread_limit)
{
    struct omp_team team;
    struct omp_task task;
    struct omp_icvs icvs = __omp_self()->at.task->icvs;
    if (thread_limit)
        icvs.thread_limit = (unsigned)thread_limit;
    unsigned league = num_teams ? (unsigned)num_teams : 1;
    for (unsigned i = 0; i < league; i++) {
        __omp_team_initial(&team, &task, &icvs);
        team.league = league;
        team.number = i;
        run(&team, &task, body, data);
    }
}
