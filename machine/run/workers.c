/* workers.c - ranks between communications, on several host threads (--jobs).
 *
 * Running a rank changes nothing outside that rank (scheduler.c). So ranks that are ready may run at the same time and
 * ahead of their turn, and no result depends on it. Effects, which have an order, stay with the main thread. It hands
 * over ranks that are likely to compute for long. A rank that soon comes to its next call is not worth the way to
 * another thread and back, and stays with the main thread.
 *
 *     main thread                               pool                                       other threads
 *     READY, ran long ---- offer ----> ready, by (clock, rank) ---- the least ----> runs, piece by piece
 *     CALL  <-------------- news ----- called, written         <--- a call ------------'      |  its clock passes
 *                                      ready                   <--- a slice is over ----------+  a window
 *
 * The main thread must take no effect at time t before every rank has left t behind. All ranks here have passed the
 * time `bound_ps`. When it is not later than the next effect, the main thread helps: it runs the rank with the least
 * clock itself, or waits. What ranks write is collected per thread. It goes to the output queue before the bound passes
 * its time.
 *
 * A rank may be ahead of all others by a window only. So a rank in an endless loop does not fill the memory with output
 * that may never happen. Threads are made when it turns out that there is work for them. The lock protects all fields
 * except the atomic ones, which tell the main thread whether it has to take the lock at all.
 */
#include "machine/run/workers.h"
#include "base/queue.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/run.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>

enum {
    PIECE_MOST = 500000, /* most cycles in one go: bounds the delay of Ctrl-C, and of news about the clock */
    SLICE_PIECES = 16,   /* pieces before the rank with the least clock is chosen anew */
    WINDOW_PIECES = 64,  /* most pieces between the rank with the least clock and the last */
    LONG_PIECES = 4,     /* a run of so many pieces is long: worth another thread */
    LONG_MOST = 400000,  /* most cycles that a run must have to be long, some 0.1 ms of native code */
    EVIDENCE = 6000000,  /* cycles in long runs before threads are made, if the user has not asked for them */
    MOST_AUTOMATIC = 64, /* most threads, if the user has not asked for more */
};

typedef struct Runner { /* a thread that runs ranks; runner 0 is the main thread */
    MachWorkers *pool;
    pthread_t thread;
    bool busy;
    uint16_t index;
    uint32_t rank;
    uint64_t clock_ps;
    GPtrArray *writes; /* text written by its rank since the last piece; not under the lock */
} Runner;

/* A rank that has come to a call. */
typedef struct Called {
    uint32_t rank;
    VmStop reason;
} Called;

struct MachWorkers {
    Machine *machine;
    unsigned jobs;    /* most threads, the main one included */
    unsigned threads; /* number of threads that exist */
    bool asked;       /* by the user: threads are made at the first occasion */
    uint64_t evidence;
    uint64_t piece; /* length of a piece in cycles */

    pthread_mutex_t lock;
    pthread_cond_t work;     /* signals that there is something to run, or to end */
    pthread_cond_t progress; /* signals progress to the main thread when it waits */
    BaseQueue *ready;
    GArray *called;
    GPtrArray *writes;
    unsigned idle, roused; /* idle: threads that wait for work; roused: those of them that have been signalled */
    bool waiting;          /* the main thread waits */
    bool pausing, ending;

    _Atomic uint64_t now_ps;    /* lower bound of the machine's time: no effect comes before it */
    _Atomic uint64_t bound_ps;  /* least clock of the ranks here; UINT64_MAX: there are none */
    _Atomic uint64_t effect_ps; /* lower bound of the time of the next effect */
    _Atomic uint64_t rouse_ps;  /* if the next effect is not before this, an idle thread may run the least rank */
    atomic_bool news;           /* `called` or `writes` is not empty */
    Runner runners[];
};

/* -- making and ending ------------------------------------------------------------------------- */

static unsigned jobs_of(const MachOptions *options)
{
    return options->jobs ? options->jobs : MIN(g_get_num_processors(), MOST_AUTOMATIC);
}

MachWorkers *mach_workers_new(Machine *machine)
{
    unsigned jobs = MIN(jobs_of(&machine->options), machine->ranks);
    if (jobs < 2)
        return NULL;
    MachWorkers *pool = g_malloc0(sizeof *pool + jobs * sizeof pool->runners[0]);
    pool->machine = machine;
    pool->jobs = jobs;
    pool->asked = machine->options.jobs != 0;
    pool->piece = MIN(machine->options.quantum, PIECE_MOST);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->progress, NULL);
    pool->ready = base_queue_new();
    pool->called = g_array_new(FALSE, FALSE, sizeof(Called));
    pool->writes = mach_output_writes_new();
    for (unsigned i = 0; i < jobs; i++)
        pool->runners[i] = (Runner){.pool = pool, .index = (uint16_t)(i + 1), .writes = mach_output_writes_new()};
    atomic_store(&pool->bound_ps, UINT64_MAX);
    atomic_store(&pool->rouse_ps, UINT64_MAX);
    pool->threads = 1;
    return pool;
}

void mach_workers_free(MachWorkers *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 1; i < pool->threads; i++)
        pthread_join(pool->runners[i].thread, NULL);
    for (unsigned i = 0; i < pool->jobs; i++)
        g_ptr_array_unref(pool->runners[i].writes);
    g_ptr_array_unref(pool->writes);
    g_array_unref(pool->called);
    base_queue_free(pool->ready);
    pthread_cond_destroy(&pool->progress);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    g_free(pool);
}

/* -- who may run ------------------------------------------------------------------------------- */

/* Returns how far a rank may be ahead, as time in its own cycles. */
static uint64_t window_ps(const MachWorkers *pool, uint32_t rank)
{
    const VmClock *clock = vm_rank_clock(vm_world_rank(pool->machine->vm, rank));
    return (uint64_t)((unsigned __int128)(pool->piece * WINDOW_PIECES) * clock->period_q32 >> 32);
}

/* Returns the time up to which a rank may run at present. */
static uint64_t horizon_ps(MachWorkers *pool, uint32_t rank)
{
    uint64_t least = MIN(atomic_load(&pool->bound_ps), atomic_load(&pool->effect_ps));
    uint64_t window = window_ps(pool, rank), limit = mach_run_limit_ps(pool->machine);
    return least > limit || window > limit - least ? limit : least + window;
}

static bool may_run(MachWorkers *pool)
{
    const BaseEvent *top = base_queue_top(pool->ready);
    return top && !pool->pausing && !mach_run_asked_to_pause(pool->machine) &&
           top->time_ps <= horizon_ps(pool, top->rank);
}

/* Updates the atomic fields that the main thread looks at. */
static void publish(MachWorkers *pool)
{
    const BaseEvent *top = base_queue_top(pool->ready);
    uint64_t bound = top ? top->time_ps : UINT64_MAX;
    for (unsigned i = 0; i < pool->threads; i++)
        if (pool->runners[i].busy)
            bound = MIN(bound, pool->runners[i].clock_ps);
    bool hungry = top && pool->idle > pool->roused;
    uint64_t window = hungry ? window_ps(pool, top->rank) : 0;
    atomic_store(&pool->rouse_ps, hungry ? top->time_ps - MIN(window, top->time_ps) : UINT64_MAX);
    if (pool->called->len || pool->writes->len)
        atomic_store(&pool->news, true);
    atomic_store(&pool->bound_ps, bound);
    if (pool->waiting)
        pthread_cond_signal(&pool->progress);
}

/* Signals idle threads, as many as there are ranks for. */
static void rouse(MachWorkers *pool)
{
    size_t work = base_queue_size(pool->ready);
    while (pool->roused < pool->idle && pool->roused < work && may_run(pool)) {
        pool->roused++;
        pthread_cond_signal(&pool->work);
    }
}

/* -- running ----------------------------------------------------------------------------------- */

/* Takes the rank with the least clock, if it may run. */
static bool take(MachWorkers *pool, Runner *runner)
{
    BaseEvent event;
    if (!may_run(pool) || !base_queue_pop(pool->ready, &event))
        return false;
    runner->busy = true;
    runner->rank = event.rank;
    runner->clock_ps = event.time_ps;
    pool->machine->processes[event.rank].runner = runner->index;
    publish(pool);
    return true;
}

static void hand_over_writes(MachWorkers *pool, Runner *runner)
{
    guint count = runner->writes->len;
    gpointer *items = g_ptr_array_steal(runner->writes, NULL);
    for (guint i = 0; i < count; i++)
        g_ptr_array_add(pool->writes, items[i]);
    g_free(items);
}

/* Runs the runner's rank for a piece. Releases the lock meanwhile. */
static VmStop run_piece(MachWorkers *pool, Runner *runner, uint64_t until_ps)
{
    pthread_mutex_unlock(&pool->lock);
    if (pool->machine->tallies)
        vm_rank_settle(vm_world_rank(pool->machine->vm, runner->rank), atomic_load(&pool->now_ps));
    VmStop reason = mach_run_until(pool->machine, runner->rank, pool->piece, until_ps);
    uint64_t clock_ps = vm_clock_now(vm_rank_clock(vm_world_rank(pool->machine->vm, runner->rank)));
    pthread_mutex_lock(&pool->lock);
    assert(clock_ps >= runner->clock_ps);
    runner->clock_ps = clock_ps;
    if (runner->writes->len)
        hand_over_writes(pool, runner);
    return reason;
}

static void give_back(MachWorkers *pool, Runner *runner, VmStop reason)
{
    Called called = {.rank = runner->rank, .reason = reason};
    runner->busy = false;
    pool->machine->processes[runner->rank].runner = 0;
    if (reason == VM_STOP_QUANTUM)
        base_queue_push(pool->ready, runner->clock_ps, 0, runner->rank, 0, 0);
    else
        g_array_append_val(pool->called, called);
    publish(pool);
}

/* Returns whether the runner should leave its rank to others, or to later. The main thread has other work when a rank
 * has come to a call. */
static bool should_stop(MachWorkers *pool, const Runner *runner, uint64_t until_ps)
{
    return runner->clock_ps > MIN(until_ps, horizon_ps(pool, runner->rank)) || pool->pausing ||
           mach_run_asked_to_pause(pool->machine) || (runner == &pool->runners[0] && pool->called->len);
}

/* Runs the runner's rank for at most `pieces` pieces, until its clock is beyond until_ps or it comes to a call. */
static void run_slice(MachWorkers *pool, Runner *runner, int pieces, uint64_t until_ps)
{
    VmStop reason = run_piece(pool, runner, until_ps);
    while (reason == VM_STOP_QUANTUM && --pieces > 0) {
        publish(pool);
        rouse(pool);
        if (should_stop(pool, runner, until_ps))
            break;
        reason = run_piece(pool, runner, until_ps);
    }
    give_back(pool, runner, reason);
}

static void *work(void *argument)
{
    Runner *runner = argument;
    MachWorkers *pool = runner->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->ending) {
        if (take(pool, runner)) {
            rouse(pool);
            run_slice(pool, runner, SLICE_PIECES, mach_run_limit_ps(pool->machine));
            continue;
        }
        pool->idle++;
        publish(pool);
        pthread_cond_wait(&pool->work, &pool->lock);
        pool->idle--;
        if (pool->roused)
            pool->roused--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Makes the threads. They block all signals, which are for the threads that exist already. */
static void start(MachWorkers *pool)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&pool->lock);
    while (pool->threads < pool->jobs) {
        Runner *runner = &pool->runners[pool->threads];
        if (pthread_create(&runner->thread, NULL, work, runner) != 0)
            break;
        pool->threads++;
    }
    pool->jobs = MAX(pool->threads, 1);
    pthread_mutex_unlock(&pool->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

GPtrArray *mach_workers_writes(MachWorkers *pool, uint16_t runner)
{
    assert(runner >= 1 && runner <= pool->jobs);
    return pool->runners[runner - 1].writes;
}

/* -- what the main thread does ----------------------------------------------------------------- */

uint64_t mach_workers_long(const MachWorkers *pool)
{
    return MIN(pool->piece * LONG_PIECES, LONG_MOST);
}

bool mach_workers_ran_long(const MachWorkers *pool, const MachProcess *process)
{
    const VmClock *clock = vm_rank_clock(process->vm);
    return (clock->cycles - clock->base_cycles) >> 8 >= mach_workers_long(pool);
}

G_GNUC_NO_INLINE bool mach_workers_offer(MachWorkers *pool, uint32_t rank, uint64_t clock_ps)
{
    Machine *machine = pool->machine;
    if (machine->hooked || machine->running < 2)
        return false;
    if (pool->threads < 2) {
        pool->evidence += mach_workers_long(pool);
        if (pool->evidence < EVIDENCE && !pool->asked)
            return false;
        start(pool);
    }
    if (pool->threads < 2)
        return false;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->now_ps, machine->now);
    base_queue_push(pool->ready, clock_ps, 0, rank, 0, 0);
    publish(pool);
    pthread_mutex_unlock(&pool->lock);
    return true;
}

/* Makes events of what has come back. Called with the lock held. */
static void collect(MachWorkers *pool)
{
    if (pool->writes->len)
        mach_output_take(pool->machine->output, pool->writes);
    for (guint i = 0; i < pool->called->len; i++) {
        const Called *called = &g_array_index(pool->called, Called, i);
        MachProcess *process = &pool->machine->processes[called->rank];
        mach_advance_note(process, called->reason);
        process->runs_long = mach_workers_ran_long(pool, process);
        assert(process->called);
        mach_advance_hold(pool->machine, process, called->rank);
    }
    g_array_set_size(pool->called, 0);
    atomic_store(&pool->news, false);
}

G_GNUC_NO_INLINE void mach_workers_collect(MachWorkers *pool)
{
    if (!atomic_load(&pool->news))
        return;
    pthread_mutex_lock(&pool->lock);
    collect(pool);
    pthread_mutex_unlock(&pool->lock);
}

uint64_t mach_workers_bound(MachWorkers *pool)
{
    return atomic_load(&pool->bound_ps);
}

bool mach_workers_news(MachWorkers *pool)
{
    return atomic_load(&pool->news);
}

G_GNUC_NO_INLINE void mach_workers_expect(MachWorkers *pool, uint64_t effect_ps)
{
    atomic_store_explicit(&pool->effect_ps, effect_ps, memory_order_relaxed);
    if (effect_ps < atomic_load_explicit(&pool->rouse_ps, memory_order_relaxed))
        return;
    pthread_mutex_lock(&pool->lock);
    rouse(pool);
    publish(pool);
    pthread_mutex_unlock(&pool->lock);
}

static bool anybody_busy(const MachWorkers *pool)
{
    for (unsigned i = 0; i < pool->threads; i++)
        if (pool->runners[i].busy)
            return true;
    return false;
}

/* Helps the other threads. If the next effect waits for this rank, runs it up to that effect. Else the effect waits for
 * a rank on another thread, and this one gets a piece in the meantime. */
static void help(MachWorkers *pool, uint64_t effect_ps)
{
    Runner *runner = &pool->runners[0];
    uint64_t limit_ps = mach_run_limit_ps(pool->machine);
    rouse(pool);
    if (runner->clock_ps <= effect_ps)
        run_slice(pool, runner, SLICE_PIECES, MIN(effect_ps, limit_ps));
    else
        run_slice(pool, runner, 1, limit_ps);
}

G_GNUC_NO_INLINE void mach_workers_help(MachWorkers *pool, uint64_t effect_ps)
{
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->now_ps, pool->machine->now);
    atomic_store(&pool->effect_ps, effect_ps);
    if (pool->called->len == 0 && atomic_load(&pool->bound_ps) <= effect_ps) {
        if (take(pool, &pool->runners[0])) {
            help(pool, effect_ps);
        } else if (anybody_busy(pool)) {
            pool->waiting = true;
            pthread_cond_wait(&pool->progress, &pool->lock);
            pool->waiting = false;
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

void mach_workers_gather(MachWorkers *pool)
{
    BaseEvent event;
    pthread_mutex_lock(&pool->lock);
    pool->pausing = pool->waiting = true;
    while (anybody_busy(pool))
        pthread_cond_wait(&pool->progress, &pool->lock);
    pool->pausing = pool->waiting = false;
    collect(pool);
    while (base_queue_pop(pool->ready, &event))
        base_queue_push(pool->machine->queue, event.time_ps, MACH_EVENT_READY, event.rank, 0, 0);
    publish(pool);
    pthread_mutex_unlock(&pool->lock);
}
