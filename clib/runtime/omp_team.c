/* omp_team.c - OpenMP's threads and teams: fork, join, barriers, cancellation.
 *
 * A thread that waits for its team does tasks meanwhile. It looks for one, and waits only if there is none; every
 * thread that makes a task ready looks again itself before it waits. So no task is left when all of them wait.
 *
 * Barriers are primitives of the simulator, with costs of their own. Where OMP_CANCELLATION is set, a barrier inside of
 * a region must end when the region is cancelled, whenever that happens; then it is made of sleeping and waking.
 */
#include "omp_team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- locks of the runtime: free, taken, taken and wanted --------------------------------------- */

enum { LOOKS = 32 }; /* what the runtime guards is short, so a thread looks again some times before it sleeps */

void __omp_lock(int *word)
{
    for (int i = 0; i < LOOKS; i++) {
        int expected = 0;
        if (__atomic_compare_exchange_n(word, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return;
        __orrery_thread_charge(__ORRERY_COST_LOCK, 1);
    }
    while (__atomic_exchange_n(word, 2, __ATOMIC_SEQ_CST) != 0)
        __orrery_wait(word, 2, __ORRERY_NEVER);
}

void __omp_unlock(int *word)
{
    if (__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST) == 2)
        __orrery_wake(word, 1);
}

/* -- threads ----------------------------------------------------------------------------------- */

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "OpenMP: %s\n", what);
    exit(1);
}

/* What is made here lasts as long as the process; it hangs together, so that it can be seen that it is not lost. */
struct kept {
    struct kept *next;
    unsigned long unused; /* what follows is aligned as malloc() aligns */
};
static struct kept *all;

static void *allocate(unsigned long size)
{
    struct kept *block = calloc(1, sizeof *block + size);
    if (!block)
        fail("no memory for threads");
    block->next = all;
    while (!__atomic_compare_exchange_n(&all, &block->next, block, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return block + 1;
}

struct beginning { /* what a thread that no team made works in, until it forks one */
    struct omp_thread thread;
    struct omp_team team;
    struct omp_task task;
};

static pthread_key_t ending;
static pthread_once_t ending_made = PTHREAD_ONCE_INIT;

/* A thread of the program's own ends: its crews end, too. */
static void dismiss(void *thread)
{
    for (struct omp_crew *crew = ((struct omp_thread *)thread)->crew; crew; crew = crew->inner) {
        crew->dismissed = true;
        __atomic_add_fetch(&crew->generation, 1, __ATOMIC_SEQ_CST);
        __orrery_wake(&crew->generation, INT_MAX);
    }
}

static void make_ending(void)
{
    pthread_key_create(&ending, dismiss);
}

void __omp_team_initial(struct omp_team *team, struct omp_task *task, const struct omp_icvs *icvs)
{
    memset(team, 0, sizeof *team);
    team->n = team->league = 1;
    team->initial = team;
    team->icvs = *icvs;
    __omp_task_begin_implicit(task, icvs);
}

static struct omp_thread *begin(void)
{
    __omp_read_environment();
    struct beginning *b = allocate(sizeof *b);
    __omp_team_initial(&b->team, &b->task, &__omp_globals.icvs);
    b->thread.at = (struct omp_at){.team = &b->team, .task = &b->task, .place = -1, .places = __omp_globals.n_places};
    if (__omp_globals.n_places && __omp_globals.icvs.bind) {
        b->thread.at.place = 0;
        __omp_bind(&b->thread.at);
    }
    __orrery_thread_set_word(OMP_WORD, &b->thread);
    if (__orrery_thread_self() != 1) { /* the first thread ends with the process */
        pthread_once(&ending_made, make_ending);
        pthread_setspecific(ending, &b->thread);
    }
    return &b->thread;
}

struct omp_thread *__omp_self(void)
{
    struct omp_thread *me = __orrery_thread_word(OMP_WORD);
    return me ? me : begin();
}

/* -- barriers ---------------------------------------------------------------------------------- */

void __omp_notify(struct omp_team *team, int most)
{
    if (team->n == 1 || !team->idle)
        return;
    if (__omp_globals.cancellation) {
        __atomic_fetch_add(&team->event, 1, __ATOMIC_SEQ_CST);
        __orrery_wake(&team->event, most);
    }
    __orrery_team_disturb(team, most);
}

/* The last thing that is known of the team, when this returns, is that nobody runs in it. */
static void join(struct omp_thread *me, struct omp_team *team)
{
    do {
        while (__omp_task_run_ready(me))
            ;
        if (__ORRERY_NOTE(team->n, __ORRERY_SETTLES) == 1)
            return;
        __atomic_fetch_add(&team->idle, 1, __ATOMIC_SEQ_CST);
        if (__orrery_team_barrier_or_work(team, team->n) >= 0)
            return;
        __atomic_fetch_sub(&team->idle, 1, __ATOMIC_SEQ_CST);
    } while (1);
}

/* Lets those go who have arrived at a barrier. Called with the team's lock, which it gives back. */
static void release(struct omp_team *team)
{
    team->arrived = 0;
    __ORRERY_NOTE(team->generation, __ORRERY_RELEASES)++;
    team->event++;
    __omp_unlock(&team->lock);
    __orrery_thread_charge(__ORRERY_COST_BARRIER, 1);
    __orrery_thread_charge(__ORRERY_COST_BARRIER_PER_THREAD, team->n);
    __orrery_wake(&team->event, INT_MAX);
}

static int wait_unless_cancelled(struct omp_thread *me, struct omp_team *team)
{
    bool arrived = false;
    unsigned generation = 0;
    __atomic_fetch_add(&team->idle, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        if (__omp_task_run_ready(me))
            continue;
        __omp_lock(&team->lock);
        if (!arrived) {
            generation = team->generation;
            __ORRERY_NOTE(team->arrived, __ORRERY_SETTLES + __ORRERY_ACQUIRES + __ORRERY_RELEASES)++;
            arrived = true;
        }
        bool over = team->cancelled || __ORRERY_NOTE(team->generation, __ORRERY_ACQUIRES) != generation;
        int seen = team->event;
        if (!over && team->arrived == team->n && !team->unfinished) {
            release(team);
            break;
        }
        bool look = team->ready.first != NULL;
        __omp_unlock(&team->lock);
        if (over)
            break;
        if (!look)
            __orrery_wait(&team->event, seen, __ORRERY_NEVER);
    }
    __atomic_fetch_sub(&team->idle, 1, __ATOMIC_SEQ_CST);
    return team->cancelled;
}

int __omp_wait_for_team(struct omp_thread *me)
{
    struct omp_team *team = me->at.team;
    if (team->n > 1 && __omp_globals.cancellation)
        return wait_unless_cancelled(me, team);
    join(me, team);
    if (team->n > 1)
        __atomic_fetch_sub(&team->idle, 1, __ATOMIC_SEQ_CST);
    return team->cancelled;
}

int __omp_barrier(void)
{
    return __omp_wait_for_team(__omp_self());
}

void __omp_flush(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* -- a region ---------------------------------------------------------------------------------- */

static void run(struct omp_thread *me, const struct omp_at *at)
{
    struct omp_task task;
    __omp_task_begin_implicit(&task, &at->team->icvs);
    me->at = *at;
    me->at.task = &task;
    __ORRERY_NOTE(at->team->body, __ORRERY_ACQUIRES)(at->team->data);
    join(me, at->team);
    __omp_task_end_implicit(&task);
}

static void serve(void *argument)
{
    struct omp_thread *me = argument;
    __orrery_thread_set_word(OMP_WORD, me);
    for (;;) {
        struct omp_at at = me->wanted;
        if (at.team) {
            me->wanted.team = NULL;
            __omp_bind(&at);
            run(me, &at);
        }
        while (me->of->generation == me->seen)
            __orrery_wait(&me->of->generation, me->seen, __ORRERY_NEVER);
        me->seen = me->of->generation;
        if (me->of->dismissed) {
            dismiss(me);
            __orrery_thread_exit(NULL);
        }
    }
}

/* How many threads a team gets (OpenMP 4.5, 2.5.1). */
static unsigned team_size(const struct omp_thread *me, int wanted)
{
    const struct omp_icvs *icvs = &me->at.task->icvs;
    if (wanted < 0)
        fail("num_threads() is not positive");
    if (wanted == 1 || (int)me->at.team->active_level >= icvs->levels)
        return 1;
    unsigned n = wanted ? (unsigned)wanted : icvs->threads;
    if (icvs->dynamic && n > (unsigned)__omp_globals.processors)
        n = (unsigned)__omp_globals.processors;
    return n;
}

/* Takes threads for a team from those that the contention group may have: team_size() of them, or as many as there are
 * beside the busy ones. Other threads may do the same at that time, so they are taken first, and what is too many is
 * given back. Returns how many the team has. */
static unsigned reserve(const struct omp_thread *me, unsigned n)
{
    struct omp_team *initial = me->at.team->initial;
    unsigned busy = __atomic_fetch_add(&initial->busy, n - 1, __ATOMIC_SEQ_CST), limit = me->at.task->icvs.thread_limit;
    unsigned free = busy < limit ? limit - busy : 1;
    if (n <= free)
        return n;
    __atomic_fetch_sub(&initial->busy, n - free, __ATOMIC_SEQ_CST);
    return free;
}

static void grow(struct omp_crew *crew, unsigned size)
{
    if (size <= crew->size)
        return;
    crew->threads = realloc(crew->threads, size * sizeof *crew->threads);
    if (!crew->threads)
        fail("no memory for threads");
    for (unsigned i = crew->size; i < size; i++) {
        crew->threads[i] = allocate(sizeof *crew->threads[i]);
        crew->threads[i]->of = crew;
    }
}

/* Gets the threads of a team together. They begin at once. */
static void summon(struct omp_thread *me, struct omp_crew *crew, struct omp_team *team, unsigned bind)
{
    unsigned old = crew->size, wanted = team->n - 1;
    grow(crew, wanted);
    for (unsigned i = 0; i < wanted; i++) {
        struct omp_at *at = &crew->threads[i]->wanted;
        *at = (struct omp_at){.team = team, .number = i + 1, .place = -1};
        __omp_place(me, i + 1, team->n, bind, at);
    }
    __orrery_thread_charge(__ORRERY_COST_FORK, (unsigned long)team);
    __orrery_thread_charge(__ORRERY_COST_FORK_PER_THREAD, wanted);
    int generation = __atomic_add_fetch(&crew->generation, 1, __ATOMIC_SEQ_CST);
    if (old)
        __orrery_wake(&crew->generation, INT_MAX);
    for (unsigned i = old; i < wanted; i++) {
        crew->threads[i]->seen = generation;
        crew->size = i + 1;
        if (!__orrery_thread_create(serve, crew->threads[i], __omp_globals.stack,
                                    __ORRERY_THREAD_DETACHED | __ORRERY_THREAD_UNPLACED, NULL)) /* serve() places it */
            fail("no room for the threads of a team");
    }
}

void __omp_works_free(struct omp_team *team)
{
    while (team->works || team->spare) { /* the works are those of loops that a cancelled region left */
        struct omp_work **list = team->works ? &team->works : &team->spare, *work = *list;
        *list = work->next;
        free(work->points);
        if (work != &team->first)
            free(work);
    }
}

void __omp_fork(void (*body)(void *data), void *data, int num_threads, int condition, unsigned bind)
{
    struct omp_thread *me = __omp_self();
    struct omp_at outer = me->at, at = outer;
    struct omp_crew *crew = me->crew;
    struct omp_team team;
    memset(&team, 0, sizeof team);
    team.n = team_size(me, condition ? num_threads : 1);
    if (team.n > 1)
        team.n = reserve(me, team.n);
    team.level = outer.team->level + 1;
    team.active_level = outer.team->active_level + (team.n > 1);
    team.outer = outer.team;
    team.outer_number = outer.number;
    team.initial = outer.team->initial;
    team.league = outer.team->league;
    team.number = outer.team->number;
    __ORRERY_NOTE(team.body, __ORRERY_RELEASES) = body;
    team.data = data;
    team.icvs = outer.task->icvs;
    if (team.level < __omp_globals.n_threads)
        team.icvs.threads = __omp_globals.threads[team.level];
    if (team.level < __omp_globals.n_binds)
        team.icvs.bind = __omp_globals.binds[team.level];
    at.team = &team;
    at.number = 0;
    at.loop = NULL;
    at.loops = at.singles = 0;
    if (team.n > 1) {
        if (!bind || !outer.task->icvs.bind)
            bind = outer.task->icvs.bind;
        __omp_place(me, 0, team.n, bind, &at);
        if (!crew)
            crew = allocate(sizeof *crew);
        summon(me, crew, &team, bind);
        me->crew = crew->inner;
    }
    run(me, &at);
    if (team.n > 1) {
        __atomic_fetch_sub(&team.initial->busy, team.n - 1, __ATOMIC_SEQ_CST);
        crew->inner = me->crew;
        me->crew = crew;
    }
    __omp_works_free(&team);
    me->at = outer;
}

/* -- cancellation ------------------------------------------------------------------------------ */

static void cancel_region(struct omp_team *team)
{
    __omp_lock(&team->lock);
    team->cancelled = true;
    team->event++;
    __omp_unlock(&team->lock);
    __orrery_wake(&team->event, INT_MAX);
    __omp_loops_cancel(team);
}

static int is_cancelled(const struct omp_thread *me, unsigned construct)
{
    __orrery_turn();
    const struct omp_team *team = me->at.team;
    const struct omp_group *group = me->at.task->group;
    if (construct == __OMP_CANCEL_TASKGROUP)
        return team->cancelled || (group && group->cancelled);
    if (construct == __OMP_CANCEL_PARALLEL || !me->at.loop)
        return team->cancelled;
    const struct omp_work *work = *(struct omp_work **)me->at.loop->reserved;
    return team->cancelled || (work && work->cancelled);
}

int __omp_cancel(unsigned construct, int condition)
{
    if (!__omp_globals.cancellation)
        return 0;
    struct omp_thread *me = __omp_self();
    if (condition && construct == __OMP_CANCEL_PARALLEL && me->at.team->level)
        cancel_region(me->at.team);
    else if (condition && construct == __OMP_CANCEL_TASKGROUP && me->at.task->group)
        me->at.task->group->cancelled = true;
    else if (condition && construct & (__OMP_CANCEL_LOOP | __OMP_CANCEL_SECTIONS) && me->at.loop) {
        struct omp_work *work = *(struct omp_work **)me->at.loop->reserved;
        work->cancelled = true;
    }
    return is_cancelled(me, construct);
}

int __omp_cancellation_point(unsigned construct)
{
    return __omp_globals.cancellation ? is_cancelled(__omp_self(), construct) : 0;
}
