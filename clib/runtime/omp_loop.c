/* omp_loop.c - OpenMP's worksharing: loops with all schedules, ordered, doacross, single, master, critical.
 *
 * Static loops need nothing that is shared: a thread computes its chunks. For others the team has a record, which the
 * first thread that comes makes and the last that leaves takes away. Threads find it by the number of the loop: all
 * meet the same loops in the same order.
 */
#include "omp_team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct state { /* struct __omp_loop from inside */
    unsigned long from, to;
    struct omp_work *work; /* NULL: static, or a team of one thread (cancel_region() and others read it) */
    struct __omp_loop *outer;
    struct omp_thread *me;
    struct omp_team *team;
    unsigned long n, next, chunk, stride;
    unsigned kind;
    bool ordered, running; /* running: in a chunk */
};
_Static_assert(sizeof(struct state) <= sizeof(struct __omp_loop), "a loop's state fits");
_Static_assert(offsetof(struct state, work) == offsetof(struct __omp_loop, reserved), "the work comes first");

static struct state *state_of(struct __omp_loop *loop)
{
    return (struct state *)loop;
}

/* -- what the team shares ---------------------------------------------------------------------- */

static struct omp_work *new_work(struct omp_team *team, unsigned long id)
{
    struct omp_work *work = team->spare;
    if (work)
        team->spare = work->next;
    else if (!team->first.id)
        work = &team->first;
    else if (!(work = malloc(sizeof *work)))
        abort();
    memset(work, 0, sizeof *work);
    work->id = id;
    return work;
}

static struct omp_work *enter(struct omp_team *team, unsigned long id)
{
    __omp_lock(&team->lock);
    struct omp_work **place = &team->works;
    while (*place && (*place)->id != id)
        place = &(*place)->next;
    if (!*place)
        *place = new_work(team, id);
    struct omp_work *work = *place;
    __omp_unlock(&team->lock);
    return work;
}

static void leave(struct omp_team *team, struct omp_work *work)
{
    __omp_lock(&team->lock);
    if (++work->left == team->n) {
        struct omp_work **place = &team->works;
        while (*place != work)
            place = &(*place)->next;
        *place = work->next;
        free(work->points);
        work->points = NULL;
        work->next = team->spare;
        team->spare = work;
    }
    __omp_unlock(&team->lock);
}

/* -- loops ------------------------------------------------------------------------------------- */

/* The share of the one with the number, among so many threads or teams. */
static void start_static(struct state *s, long chunk, unsigned long threads, unsigned long number)
{
    if (chunk > 0) {
        s->chunk = (unsigned long)chunk;
        s->next = number > s->n / s->chunk ? s->n : number * s->chunk;
        s->stride = threads > s->n / s->chunk ? s->n : threads * s->chunk;
        return;
    }
    unsigned long each = s->n / threads, more = s->n % threads;
    s->chunk = each + (number < more);
    s->next = s->chunk ? each * number + (number < more ? number : more) : s->n;
    s->stride = s->n;
}

void __omp_loop_begin(struct __omp_loop *loop, unsigned long n, unsigned schedule, long chunk, unsigned flags)
{
    struct omp_thread *me = __omp_self();
    struct state *s = state_of(loop);
    const struct omp_icvs *icvs = &me->at.task->icvs;
    *s = (struct state){.outer = me->at.loop, .me = me, .team = me->at.team, .n = n};
    s->kind = schedule & __OMP_SCHEDULE_KIND;
    if (s->kind == __OMP_SCHEDULE_RUNTIME) {
        s->kind = icvs->schedule & __OMP_SCHEDULE_KIND;
        chunk = icvs->chunk;
    }
    if (s->team->n == 1 && s->kind != __OMP_SCHEDULE_STATIC) {
        s->kind = __OMP_SCHEDULE_STATIC;
        chunk = 0;
    }
    if (s->kind == __OMP_SCHEDULE_AUTO) {
        s->kind = __OMP_SCHEDULE_STATIC;
        chunk = 0;
    }
    s->ordered = flags & __OMP_LOOP_ORDERED && s->team->n > 1;
    if (s->kind == __OMP_SCHEDULE_STATIC)
        start_static(s, chunk, s->team->n, me->at.number);
    else
        s->chunk = chunk > 0 ? (unsigned long)chunk : 1;
    unsigned long id = ++me->at.loops;
    if (s->kind != __OMP_SCHEDULE_STATIC || s->ordered || __omp_globals.cancellation)
        s->work = enter(s->team, id);
    me->at.loop = loop;
}

static bool take_static(struct state *s)
{
    if (s->next >= s->n)
        return false;
    unsigned long rest = s->n - s->next;
    s->from = s->next;
    s->to = rest > s->chunk ? s->from + s->chunk : s->n;
    s->next = rest > s->stride ? s->from + s->stride : s->n;
    return true;
}

/* Takes the next chunk of a dynamic or guided loop. That of a guided one is an equal share of the rest, but not less
 * than the chunk that was asked for. */
static bool take_shared(struct state *s)
{
    struct omp_work *work = s->work;
    unsigned long from = work->taken, size;
    do {
        unsigned long rest = s->n - from;
        if (rest == 0)
            return false;
        size = s->chunk;
        if (s->kind == __OMP_SCHEDULE_GUIDED) {
            unsigned long share = rest / s->team->n + (rest % s->team->n != 0);
            size = share > size ? share : size;
        }
        size = size < rest ? size : rest;
    } while (!__atomic_compare_exchange_n(&work->taken, &from, from + size, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __orrery_thread_charge(__ORRERY_COST_CHUNK, 1);
    s->from = from;
    s->to = from + size;
    return true;
}

/* -- waiting in loops -------------------------------------------------------------------------- */

/* Wakes the waiters for which `is_done` holds. Called with the work's lock, which it gives back. */
static void wake(struct omp_work *work, bool (*is_done)(const struct omp_work *work, const struct omp_waiter *waiter))
{
    struct omp_waiter *woken = NULL, **last = &woken;
    for (struct omp_waiter **place = &work->waiters; *place;)
        if (is_done(work, *place)) {
            struct omp_waiter *waiter = *place;
            *place = waiter->next;
            waiter->next = NULL;
            *last = waiter;
            last = &waiter->next;
        } else {
            place = &(*place)->next;
        }
    __omp_unlock(&work->lock);
    while (woken) { /* the record of a waiter is gone once it has seen its word */
        struct omp_waiter *waiter = woken;
        woken = waiter->next;
        __ORRERY_NOTE(waiter->word, __ORRERY_RELEASES) = 1;
        __orrery_wake(&waiter->word, 1);
    }
}

static void wait_until(struct state *s, unsigned long at, unsigned long point,
                       bool (*is_done)(const struct omp_work *work, const struct omp_waiter *waiter))
{
    struct omp_work *work = s->work;
    struct omp_waiter waiter = {.at = at, .point = point};
    __omp_lock(&work->lock);
    if (is_done(work, &waiter) || s->team->cancelled) {
        __omp_unlock(&work->lock);
        return;
    }
    struct omp_waiter **last = &work->waiters;
    while (*last)
        last = &(*last)->next;
    *last = &waiter;
    __omp_unlock(&work->lock);
    while (__ORRERY_NOTE(waiter.word, __ORRERY_ACQUIRES) == 0)
        __orrery_wait(&waiter.word, 0, __ORRERY_NEVER);
}

static bool is_turn(const struct omp_work *work, const struct omp_waiter *waiter)
{
    return __ORRERY_NOTE(work->done, __ORRERY_ACQUIRES) >= waiter->at;
}

static bool is_posted(const struct omp_work *work, const struct omp_waiter *waiter)
{
    return __ORRERY_NOTE(work->points[waiter->at], __ORRERY_ACQUIRES) > waiter->point;
}

static bool is_any(const struct omp_work *work, const struct omp_waiter *waiter)
{
    (void)work, (void)waiter;
    return true;
}

void __omp_loops_cancel(struct omp_team *team)
{
    __omp_lock(&team->lock);
    struct omp_work *work = team->works;
    __omp_unlock(&team->lock);
    for (; work; work = work->next) {
        __omp_lock(&work->lock);
        wake(work, is_any);
    }
}

/* The chunk is done: the next one may begin its ordered regions, when all before this one are done, too. */
static void finish_chunk(struct state *s)
{
    s->running = false;
    wait_until(s, s->from, 0, is_turn);
    __omp_lock(&s->work->lock);
    __ORRERY_NOTE(s->work->done, __ORRERY_RELEASES) = s->to;
    wake(s->work, is_turn);
}

void __omp_ordered_begin(void)
{
    struct omp_thread *me = __omp_self();
    struct state *s = me->at.loop ? state_of(me->at.loop) : NULL;
    if (s && s->ordered)
        wait_until(s, s->from, 0, is_turn);
}

void __omp_ordered_end(void) {}

int __omp_loop_next(struct __omp_loop *loop)
{
    struct state *s = state_of(loop);
    if (s->ordered && s->running)
        finish_chunk(s);
    if (__omp_globals.cancellation) {
        __orrery_turn();
        if (s->team->cancelled || s->work->cancelled)
            return 0;
    }
    s->running = s->kind == __OMP_SCHEDULE_STATIC ? take_static(s) : take_shared(s);
    return s->running;
}

int __omp_loop_end(struct __omp_loop *loop, int nowait)
{
    struct state *s = state_of(loop);
    struct omp_thread *me = s->me;
    me->at.loop = s->outer;
    if (s->ordered && s->running && !s->team->cancelled)
        finish_chunk(s);
    if (s->work)
        leave(s->team, s->work);
    return nowait ? s->team->cancelled : __omp_wait_for_team(me);
}

/* -- distribute -------------------------------------------------------------------------------- */

void __omp_distribute_begin(struct __omp_loop *loop, unsigned long n, long chunk)
{
    struct omp_thread *me = __omp_self();
    struct state *s = state_of(loop);
    *s = (struct state){.me = me, .team = me->at.team, .n = n, .kind = __OMP_SCHEDULE_STATIC};
    start_static(s, chunk, s->team->league, s->team->number);
}

int __omp_distribute_next(struct __omp_loop *loop)
{
    return take_static(state_of(loop));
}

/* -- doacross ---------------------------------------------------------------------------------- */

void __omp_doacross_begin(struct __omp_loop *loop, unsigned long points)
{
    struct state *s = state_of(loop);
    s->ordered = false; /* its order is that of the points; all who wait in the loop wait for points */
    if (s->team->n == 1 || s->n == 0)
        return;
    if (!s->work)
        s->work = enter(s->team, s->me->at.loops);
    __omp_lock(&s->work->lock);
    if (!s->work->points) {
        s->work->points_each = points / s->n ? points / s->n : 1;
        s->work->points = calloc(s->n, sizeof *s->work->points);
        if (!s->work->points)
            abort();
    }
    __omp_unlock(&s->work->lock);
}

void __omp_doacross_post(struct __omp_loop *loop, unsigned long point)
{
    struct state *s = state_of(loop);
    if (s->team->n == 1)
        return;
    struct omp_work *work = s->work;
    __omp_lock(&work->lock);
    __ORRERY_NOTE(work->points[point / work->points_each], __ORRERY_RELEASES) = point % work->points_each + 1;
    wake(work, is_posted);
}

void __omp_doacross_wait(struct __omp_loop *loop, unsigned long point)
{
    struct state *s = state_of(loop);
    if (s->team->n > 1)
        wait_until(s, point / s->work->points_each, point % s->work->points_each, is_posted);
}

/* -- one thread only --------------------------------------------------------------------------- */

int __omp_single_begin(void)
{
    struct omp_at *at = &__omp_self()->at;
    if (at->team->n == 1)
        return 1;
    unsigned long id = ++at->singles, last = at->team->singles;
    while (last < id)
        if (__atomic_compare_exchange_n(&at->team->singles, &last, id, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return 1;
    return 0;
}

void *__omp_copyprivate(void *record)
{
    struct omp_thread *me = __omp_self();
    if (record)
        me->at.team->copied = record;
    __omp_wait_for_team(me);
    return me->at.team->copied;
}

int __omp_master(void)
{
    return __omp_self()->at.number == 0;
}

/* -- one thread at a time ---------------------------------------------------------------------- */

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(struct __omp_lock), "a mutex fits");

static pthread_mutex_t reducing = PTHREAD_MUTEX_INITIALIZER;

void __omp_critical_begin(struct __omp_lock *lock)
{
    pthread_mutex_lock((pthread_mutex_t *)lock);
}

void __omp_critical_end(struct __omp_lock *lock)
{
    pthread_mutex_unlock((pthread_mutex_t *)lock);
}

void __omp_reduce_begin(void)
{
    pthread_mutex_lock(&reducing);
}

void __omp_reduce_end(void)
{
    pthread_mutex_unlock(&reducing);
}
