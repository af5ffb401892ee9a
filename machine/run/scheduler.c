/* scheduler.c - the event loop: the one place where the order of everything is decided.
 *
 * There are two queues, the machine's own and the network's. The loop always takes the least event in the order (time,
 * kind, rank, sequence), with the kinds in the order of MachEventKind:
 *
 *   READY      run a rank for at most one quantum from its clock on; it ends as READY again, or as a CALL
 *   SENT, DELIVERED, then the network's own events: messages move
 *   ALARM      what mpi/ does in the background reaches a rank
 *   CORE       a core that ranks share has served one of them, or changes over to another (sharing.c)
 *   CALL       a rank's request, finished upcall, exit, fault or wake-up takes effect, in the order of ranks
 *
 * One call may be held beside the queues (mach_advance_hold()). If it is the least event, it need not go through a
 * queue.
 *
 * Why the quantum cannot matter. Running a READY rank changes nothing outside that rank. It ends with a CALL at the
 * rank's own clock, which is a function of that rank alone, in whatever pieces it ran. Only the other kinds, the
 * *effects*, touch anything shared. Since READY is the least kind, no effect takes place at time t while a rank with a
 * clock <= t could still run. So when an effect is chosen, every effect of time <= t that is to come is in a queue
 * already. The choice among them is by (time, kind, rank), not by when they were queued. The sequence number decides
 * only among several effects of one kind, time and rank: local messages and wake-ups. Only effects queue these, so
 * their order is itself the same (induction). A wake-up and a call of the same rank are told apart by the third part of
 * the order, which is 2 * rank + (0: wake-up, 1: call). By the same argument a rank may run far beyond the time at
 * which the run ends (fault, abort, --max-time). So reports are cut off at that time, and so is output (output.c).
 */
#include "base/queue.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/budget.h"
#include "machine/run/polling.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"
#include "machine/run/threads.h"
#include "machine/run/tiers.h"
#include "machine/run/workers.h"

#include <assert.h>

enum { FEW_RANKS = 256 };
enum { LOOK_EVENTS = 64 }; /* events between looks at the host's clock */
enum { FEW_EVENTS = 8 };   /* events between looks at what has been buffered */

/* -- queueing ---------------------------------------------------------------------------------- */

/* Queues a rank that can run. If it is likely to run for long, another thread may get it. */
static G_GNUC_NO_INLINE void queue_ready(Machine *machine, uint32_t rank, uint64_t clock_ps)
{
    const MachProcess *process = &machine->processes[rank];
    if (machine->workers && process->runs_long && !process->threaded && !process->exposures &&
        mach_workers_offer(machine->workers, rank, clock_ps))
        return;
    base_queue_push(machine->queue, clock_ps, MACH_EVENT_READY, rank, 0, 0);
}

static inline void set_ready(MachProcess *process)
{
    process->state = MACH_RANK_READY;
    process->resumed_ps = mach_advance_clock(process);
    process->resumed_overhead_ps = process->stats->overhead_ps;
    process->resumed_calls = process->stats->calls;
}

void mach_run_make_ready(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    set_ready(process);
    if (process->share)
        mach_sharing_begin(machine, rank);
    if (!process->share || !process->threaded)
        queue_ready(machine, rank, process->resumed_ps);
}

void mach_run_ready_at(Machine *machine, uint32_t rank, uint64_t time_ps)
{
    const MachProcess *process = &machine->processes[rank];
    if (process->share)
        mach_sharing_end_pause(machine, rank);
    if (process->share && process->threaded)
        return;
    queue_ready(machine, rank, time_ps);
}

/* -- ready ranks ------------------------------------------------------------------------------- */

/* Whether a rank runs without anybody who watches it or who shares the work, and without an end that is set. Then
 * nearly all that the loop must look at before each event cannot be. */
static bool is_usual(const Machine *machine)
{
    return !machine->workers && !machine->background && !machine->budget_in_order && !machine->hooked &&
           !machine->tallies && !machine->kill_ps && !machine->threaded && !machine->nodes && !machine->timed &&
           !machine->options.max_time_ps && machine->options.quantum <= MACH_PIECE_CYCLES;
}

static inline void end_run(Machine *machine, MachProcess *process, uint32_t rank, VmStop reason)
{
    mach_advance_note(process, reason);
    if (G_LIKELY(machine->usual && process->called)) {
        mach_advance_hold_call(machine, rank, process->call_ps);
        return;
    }
    process->runs_long =
        G_UNLIKELY(machine->workers) && !process->threaded && mach_workers_ran_long(machine->workers, process);
    if (G_LIKELY(process->called)) {
        mach_advance_hold(machine, process, rank);
        return;
    }
    if (G_UNLIKELY(process->threaded && process->share) && !machine->halted)
        mach_sharing_ran(machine, rank);
    else if (!machine->halted)
        queue_ready(machine, rank, process->call_ps);
    if (reason == VM_STOP_HOOK)
        mach_run_pause(machine, MACH_STOP_HOOK, process->rank);
}

static inline void run_rank(Machine *machine, MachProcess *process, uint32_t rank)
{
    uint64_t cycles = machine->options.quantum;
    if (G_UNLIKELY(process->exposures)) {
        if (machine->tallies)
            vm_rank_settle(process->vm, machine->now);
        end_run(machine, process, rank, mach_run_piece(machine, rank, cycles, mach_run_rank_limit_ps(machine, rank)));
        return;
    }
    if (G_LIKELY(machine->usual)) {
        VmStop reason = vm_rank_run(process->vm, cycles);
        if (G_UNLIKELY(reason == VM_STOP_QUANTUM) && cycles >= MACH_LONG_PIECE)
            mach_tiers_look(machine->tiers, true);
        end_run(machine, process, rank, reason);
        return;
    }
    if (G_UNLIKELY(machine->tallies))
        vm_rank_settle(process->vm, machine->now);
    if (G_UNLIKELY(process->threaded)) {
        end_run(machine, process, rank, mach_tasks_run(machine, rank));
        return;
    }
    if (G_UNLIKELY(machine->workers) && !machine->hooked && !process->exposures)
        cycles = MIN(cycles, mach_workers_long(machine->workers));
    if (G_UNLIKELY(cycles > MACH_PIECE_CYCLES || machine->options.max_time_ps || machine->kill_ps)) {
        end_run(machine, process, rank, mach_run_until(machine, rank, cycles, mach_run_rank_limit_ps(machine, rank)));
        return;
    }
    VmStop reason = vm_rank_run(process->vm, cycles); /* mach_run_until() would do no more than this */
    if (G_UNLIKELY(reason == VM_STOP_QUANTUM) && cycles >= MACH_LONG_PIECE)
        mach_tiers_look(machine->tiers, true);
    end_run(machine, process, rank, reason);
}

/* Lets a rank go on after its call. As running has no effect, that may happen at once, without the queue. But the
 * debugger wants to see ranks in their order, and ranks that run long are for other threads. */
static inline void resume(Machine *machine, MachProcess *process, uint32_t rank)
{
    set_ready(process);
    if (G_UNLIKELY(process->share != NULL)) {
        mach_sharing_resume(machine, rank);
        if (process->threaded)
            return;
    }
    process->rests = !mach_advance_stays(process, machine->now, process->resumed_ps);
    if (G_UNLIKELY(!machine->usual || process->exposures) &&
        (machine->hooked || process->threaded || process->rests ||
         process->resumed_ps > mach_run_rank_limit_ps(machine, process->rank) ||
         (machine->workers && process->runs_long)))
        queue_ready(machine, rank, process->resumed_ps);
    else
        run_rank(machine, process, rank);
}

/* -- effects ----------------------------------------------------------------------------------- */

/* Informs observers of the computing that ends now, and of the sleeps within it. */
static void tell_computing(Machine *machine, uint32_t task)
{
    uint64_t from_ps = machine->processes[task].resumed_ps;
    uint32_t rank = machine->processes[task].rank;
    GArray *sleeps = machine->processes[task].thread ? NULL : machine->sleeps[rank];
    for (guint i = 0; sleeps && i < sleeps->len; i++) {
        const MachSleep *sleep = &g_array_index(sleeps, MachSleep, i);
        if (sleep->from_ps > from_ps)
            mach_run_tell_activity(machine, rank, MPI_ACTIVITY_COMPUTE, from_ps, sleep->from_ps, NULL);
        mach_run_tell_activity(machine, rank, MPI_ACTIVITY_BLOCKED, sleep->from_ps, sleep->to_ps,
                               sleep->no_core ? "for a core" : NULL);
        mach_run_tell_slept(machine, rank, sleep);
        from_ps = sleep->to_ps;
    }
    if (sleeps)
        g_array_set_size(sleeps, 0);
    if (machine->now > from_ps)
        mach_run_tell_activity(machine, rank, MPI_ACTIVITY_COMPUTE, from_ps, machine->now, NULL);
}

static inline void end_computing(Machine *machine, MachProcess *process, uint32_t rank)
{
    if (G_UNLIKELY(machine->sleeps) && (machine->timed || machine->sleeps[process->rank]) &&
        machine->now > process->resumed_ps)
        tell_computing(machine, rank);
    mach_advance_account(machine, rank, machine->now);
}

/* A rank that runs has come to a call. Whether that is the next event of all: nothing else is to come up to now_ps. */
bool mach_run_is_turn(void *user, uint32_t rank, uint64_t now_ps)
{
    const Machine *machine = user;
    const MachProcess *process = &machine->processes[rank];
    return machine->usual && machine->turns_taken < FEW_EVENTS && now_ps < base_queue_next_time(machine->queue) &&
           now_ps < net_next_time(machine->net) && now_ps < machine->held_ps && !machine->circling && !machine->woken &&
           !machine->spinning && !machine->ahead && !machine->options.explore && !process->watched &&
           vm_rank_clock(process->vm)->cycles < process->piece_end &&
           !atomic_load_explicit(&machine->asked, memory_order_relaxed);
}

/* The call takes effect. The rank is not READY again after it, but still. */
bool mach_run_take_turn(void *user, uint32_t rank, uint64_t now_ps, uint64_t end_ps)
{
    Machine *machine = user;
    MachProcess *process = &machine->processes[rank];
    if (!mach_advance_stays(process, now_ps, end_ps))
        return false;
    mach_run_reach(machine, now_ps);
    machine->events++;
    machine->turns_taken++;
    machine->turn = MAX(machine->turn, 2 * rank + 1);
    end_computing(machine, process, rank);
    process->resumed_ps = end_ps;
    process->resumed_overhead_ps += end_ps - now_ps;
    process->resumed_calls++;
    return true;
}

static void tell_finished(Machine *machine, uint32_t rank)
{
    const MachProcess *process = &machine->processes[rank];
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->finished)
            observer->finished(observer->user, rank, process->finish_ps, process->exit_status);
    }
}

static void exit_rank(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    VmRank *vm = process->vm;
    vm_rank_conclude(vm);
    mach_tasks_drop(machine, rank);
    threads_world_exited(machine->threads, rank);
    mpi_world_exited(machine->mpi, rank);
    mach_kills_exited(machine, rank);
    process->state = MACH_RANK_FINISHED;
    process->exit_status = vm_rank_exit_status(vm) & 0xff;
    process->finish_ps = machine->now;
    machine->running--;
    mach_output_finish(machine->output, rank, machine->now);
    tell_finished(machine, rank);
    mach_findings_note_leaks(machine, rank);
    mach_budget_exited(machine, rank);
    mach_spawn_exited(machine, rank);
    if (process->share)
        mach_sharing_end(machine, rank);
    vm_world_release_rank(vm);
}

static void fault_rank(Machine *machine, uint32_t rank)
{
    vm_rank_conclude(machine->processes[rank].vm);
    mach_tasks_drop(machine, rank);
    machine->processes[rank].state = MACH_RANK_FAULTED;
    machine->processes[rank].finish_ps = machine->now;
    mach_run_stop(machine, MACH_STOP_FAULT, rank);
}

static inline void block(Machine *machine, MachProcess *process, uint32_t rank)
{
    process->state = MACH_RANK_BLOCKED;
    if (G_UNLIKELY(process->threaded))
        mach_polling_stir(machine, process->rank);
    if (G_UNLIKELY(process->share != NULL))
        mach_sharing_block(machine, rank, process->sleeps);
}

static inline void take_outcome(Machine *machine, MachProcess *process, uint32_t rank, MpiOutcome outcome)
{
    switch (outcome) {
    case MPI_OUTCOME_DONE:
    case MPI_OUTCOME_UPCALL: resume(machine, process, rank); break;
    case MPI_OUTCOME_BLOCKED: block(machine, process, rank); break;
    case MPI_OUTCOME_FAULT: fault_rank(machine, process->rank); break;
    case MPI_OUTCOME_ABORT: mach_kills_abort(machine, process->rank); break;
    }
}

/* The same for a call of MPI, in which messages may have come. */
static inline void take_mpi_outcome(Machine *machine, MachProcess *process, uint32_t task, MpiOutcome outcome)
{
    if (G_UNLIKELY(process->threaded) && outcome == MPI_OUTCOME_DONE)
        threads_world_heard(machine->threads, process->rank);
    take_outcome(machine, process, task, outcome);
}

/* Performs a library function that touches host files, in its turn, or an access to memory that ranks share, which the
 * rank makes as soon as it goes on. Its cost counts as computing, like that of other library functions. A rank whose
 * time is up behind it goes on as far as one that did this without an event (host_undisturbed()). */
static void perform(Machine *machine, MachProcess *process, uint32_t rank)
{
    machine->accesses = G_UNLIKELY(machine->storage) ? g_array_new(FALSE, FALSE, sizeof(VmStorageAccess)) : NULL;
    process->yields = false;
    VmStop reason = vm_rank_perform(process->vm);
    GArray *accesses = machine->accesses;
    machine->accesses = NULL;
    if (G_UNLIKELY(accesses && accesses->len && (reason == VM_STOP_QUANTUM || reason == VM_STOP_EXITED))) {
        mach_run_take_accesses(machine, rank, accesses, reason == VM_STOP_EXITED);
        return;
    }
    if (accesses)
        g_array_unref(accesses);
    if (G_UNLIKELY(reason == VM_STOP_REQUEST)) {
        take_outcome(machine, process, rank, mach_threads_call(machine, process));
        return;
    }
    if (process->share && reason == VM_STOP_QUANTUM) {
        mach_sharing_perform(machine, rank, process->yields);
        if (process->threaded)
            return;
    } else if (process->share) {
        mach_sharing_perform_last(machine, rank, reason == VM_STOP_EXITED ? MACH_CALL_EXIT : MACH_CALL_FAULT);
        return;
    }
    uint64_t clock = mach_advance_clock(process), limit_ps = mach_run_rank_limit_ps(machine, process->rank);
    if (reason == VM_STOP_QUANTUM && G_UNLIKELY(clock > limit_ps))
        end_run(machine, process, rank,
                process->exposures ? mach_run_piece(machine, rank, machine->options.quantum, limit_ps)
                                   : mach_run_until(machine, rank, machine->options.quantum, limit_ps));
    else if (reason == VM_STOP_QUANTUM && clock == machine->now)
        run_rank(machine, process, rank); /* it would be the next event */
    else if (reason == VM_STOP_QUANTUM)
        queue_ready(machine, rank, clock);
    else
        mach_advance_queue_call(machine, rank, clock, reason == VM_STOP_EXITED ? MACH_CALL_EXIT : MACH_CALL_FAULT);
}

static void take_threads_request(Machine *machine, MachProcess *process, uint32_t task, bool in_order)
{
    if (in_order && !threads_world_precedes(machine->threads, process->rank, process->thread))
        perform(machine, process, task);
    else if (in_order || threads_world_answers(machine->threads, vm_rank_request(process->vm)->function))
        take_outcome(machine, process, task, mach_threads_call(machine, process));
    else if (machine->options.explore || !mach_polling_request(machine, task))
        take_mpi_outcome(machine, process, task, mpi_world_call(machine->mpi, process->rank, machine->now));
}

static inline void take_request(Machine *machine, MachProcess *process, uint32_t rank)
{
    const VmRequest *request = vm_rank_request(process->vm);
    bool in_order = request->in_order;
    if (G_UNLIKELY(process->threaded || threads_world_answers(machine->threads, request->function))) {
        take_threads_request(machine, process, rank, in_order);
        return;
    }
    if ((!in_order || machine->options.explore) && mach_polling_request(machine, rank))
        return;
    if (G_UNLIKELY(in_order) && vm_rank_request(process->vm)->access == VM_SHARING_READ &&
        mach_polling_read(machine, rank))
        return;
    if (G_UNLIKELY(in_order))
        perform(machine, process, rank);
    else
        take_outcome(machine, process, rank, mpi_world_call(machine->mpi, rank, machine->now));
}

static void take_upcall_done(Machine *machine, MachProcess *process, uint32_t rank)
{
    MpiOutcome outcome;
    if (mach_threads_upcall_done(machine, process, &outcome))
        take_outcome(machine, process, rank, outcome);
    else
        take_mpi_outcome(machine, process, rank, mpi_world_upcall_done(machine->mpi, process->rank));
}

/* Lets the call take effect that a rank's run ended with. */
static inline void take_end(Machine *machine, MachProcess *process, uint32_t rank, MachCall call)
{
    mach_tasks_select(machine, process);
    if (G_UNLIKELY(process->threaded))
        mach_polling_stir_by(machine, process);
    end_computing(machine, process, rank);
    process->called = false;
    if (G_LIKELY(call == MACH_CALL_REQUEST))
        take_request(machine, process, rank);
    else if (call == MACH_CALL_UPCALL_DONE)
        take_upcall_done(machine, process, rank);
    else if (call == MACH_CALL_EXIT)
        exit_rank(machine, process->rank);
    else
        fault_rank(machine, process->rank);
}

/* Whether it is a thread of a process that has ended. */
static inline bool has_gone(const MachProcess *process)
{
    return process->threaded && process->state >= MACH_RANK_FINISHED;
}

static void take_call(Machine *machine, uint32_t rank, MachCall call)
{
    MachProcess *process = &machine->processes[rank];
    if (G_UNLIKELY(process->state == MACH_RANK_KILLED || has_gone(process)))
        return;
    if (call == MACH_CALL_WAKE) {
        mach_tasks_select(machine, process);
        mach_polling_stir(machine, process->rank);
        if (process->waits)
            take_outcome(machine, process, rank, mach_threads_resume(machine, process));
        else
            take_mpi_outcome(machine, process, rank, mpi_world_resume(machine->mpi, process->rank, machine->now));
    } else
        take_end(machine, process, rank, call);
}

/* A rank that is exposed goes on at its time only: until then, others find it as it waits. */
static inline void resume_woken(Machine *machine)
{
    uint32_t rank = machine->woken_rank;
    uint64_t woken_ps = machine->woken_ps;
    MachProcess *process = &machine->processes[rank];
    machine->woken = false;
    MpiOutcome outcome = mpi_world_resume(machine->mpi, rank, woken_ps);
    if (G_LIKELY(!process->exposures) || (outcome != MPI_OUTCOME_DONE && outcome != MPI_OUTCOME_UPCALL)) {
        take_mpi_outcome(machine, process, rank, outcome);
        return;
    }
    set_ready(process);
    process->rests = true;
    queue_ready(machine, rank, woken_ps);
}

void mach_run_fetch(Machine *machine, uint32_t rank, bool begun)
{
    if (!begun)
        __builtin_prefetch(&machine->processes[rank]);
    vm_world_fetch(machine->vm, rank, begun);
    mpi_world_fetch(machine->mpi, rank, begun);
}

/* In a process that only looks: ends the run when the ranks have run for long enough. */
static G_GNUC_NO_INLINE void run_within_limit(Machine *machine, MachProcess *process, uint32_t rank)
{
    const VmClock *clock = vm_rank_clock(process->vm);
    uint64_t before = clock->cycles;
    run_rank(machine, process, rank);
    uint64_t cycles = clock->cycles - before;
    machine->work_left -= MIN(cycles, machine->work_left);
    if (machine->work_left == 0 && machine->stop != MACH_STOP_HOOK)
        mach_run_stop(machine, MACH_STOP_MAX_TIME, process->rank);
}

/* Runs a rank whose turn it is, unless it has come further meanwhile (mach_run_still()). */
static inline void take_ready(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    if (G_UNLIKELY(process->state == MACH_RANK_KILLED || process->held || has_gone(process)))
        return;
    if (G_UNLIKELY(process->called))
        mach_advance_hold(machine, process, rank);
    else if (G_UNLIKELY(process->exposures) && !process->rests && mach_advance_clock(process) > machine->now)
        queue_ready(machine, rank, mach_advance_clock(process));
    else if (G_UNLIKELY(machine->limits_work))
        run_within_limit(machine, process, rank);
    else
        run_rank(machine, process, rank);
}

static uint32_t rank_of(const Machine *machine, const BaseEvent *event)
{
    uint32_t task = event->kind == MACH_EVENT_CALL ? (uint32_t)event->b : event->rank;
    return G_UNLIKELY(machine->threaded) ? machine->processes[task].rank : task;
}

/* Whether the event concerns a rank, and not a core. */
static bool has_rank(const BaseEvent *event)
{
    return event && event->kind != MACH_EVENT_CORE && event->kind != MACH_EVENT_TIMER;
}

/* Prefetches ranks. Many ranks do not fit into the processor's caches, but it is known which come next. */
static void fetch_soon(Machine *machine)
{
    const BaseEvent *far = base_queue_soon(machine->queue, 8), *near = base_queue_soon(machine->queue, 4);
    if (has_rank(far))
        mach_run_fetch(machine, rank_of(machine, far), false);
    if (has_rank(near))
        mach_run_fetch(machine, rank_of(machine, near), true);
    if (near && (near->kind == MACH_EVENT_READY || near->kind == MACH_EVENT_CALL))
        vm_world_fetch_stack(machine->vm, rank_of(machine, near));
}

/* Whether the event is one of those that machine->under_way counts. */
static bool is_under_way(const BaseEvent *event)
{
    return event->kind == MACH_EVENT_CALL ? event->a == MACH_CALL_WAKE
                                          : event->kind != (uint32_t)MACH_EVENT_READY && has_rank(event);
}

static G_GNUC_NO_INLINE void take_event(Machine *machine)
{
    BaseEvent event;
    base_queue_pop(machine->queue, &event);
    machine->under_way -= is_under_way(&event);
    if (event.kind == MACH_EVENT_CALL)
        machine->turn = MAX(machine->turn, event.rank);
    if (machine->ranks > FEW_RANKS)
        fetch_soon(machine);
    switch ((MachEventKind)event.kind) {
    case MACH_EVENT_READY: take_ready(machine, event.rank); break;
    case MACH_EVENT_SENT: mpi_world_sent(machine->mpi, event.a, event.time_ps); break;
    case MACH_EVENT_DELIVERED:
        if (G_LIKELY(!machine->nodes) || !mach_sharing_keep(machine, event.a))
            mpi_world_delivered(machine->mpi, event.a, event.time_ps);
        break;
    case MACH_EVENT_ALARM: mpi_world_alarm(machine->mpi, event.a, event.time_ps); break;
    case MACH_EVENT_KILL: mach_kills_take(machine, event.rank, event.a); break;
    case MACH_EVENT_THREAD_ALARM:
        mach_polling_stir(machine, event.rank);
        threads_world_alarm(machine->threads, event.rank, (uint32_t)event.b, event.time_ps, event.a);
        break;
    case MACH_EVENT_STORAGE: mach_storage_event(machine->storage, event.a, event.time_ps); break;
    case MACH_EVENT_TIMER:
    case MACH_EVENT_CORE: mach_sharing_event(machine, &event); break;
    case MACH_EVENT_CALL: take_call(machine, (uint32_t)event.b, (MachCall)event.a); break;
    case MACH_EVENT_NETWORK: g_assert_not_reached();
    }
}

/* Takes the call that is held, like take_event(). */
static inline void take_held(Machine *machine)
{
    uint32_t rank = machine->held_rank;
    MachProcess *process = &machine->processes[rank];
    machine->held_ps = UINT64_MAX;
    machine->turn = MAX(machine->turn, 2 * rank + 1);
    take_end(machine, process, rank, process->call);
}

/* -- the loop ---------------------------------------------------------------------------------- */

/* Returns the least clock of the ranks that other threads have, once everything that came back from them is queued. */
static uint64_t clock_of_others(Machine *machine)
{
    if (!machine->workers)
        return UINT64_MAX;
    for (;;) {
        uint64_t bound = mach_workers_bound(machine->workers);
        if (!mach_workers_news(machine->workers)) /* after the bound: a call raises the bound only once it is news */
            return bound;
        mach_workers_collect(machine->workers);
    }
}

static void tell_progress(Machine *machine)
{
    MachProgress progress = {.now_ps = machine->now,
                             .max_time_ps = machine->options.max_time_ps,
                             .ranks = machine->ranks,
                             .finished = machine->ranks - machine->running,
                             .messages = mpi_world_messages(machine->mpi),
                             .events = machine->events};
    if (machine->options.progress)
        machine->options.progress(machine->options.progress_user, &progress);
}

/* Returns the latest time of an event at which the run goes on as usual, unless somebody asks for something. Beyond it
 * must_stop() decides. */
static uint64_t last_usual(const Machine *machine)
{
    return machine->options.max_time_ps ? MIN(machine->options.max_time_ps, UINT64_MAX - 1) : UINT64_MAX - 1;
}

/* Returns whether the run must end or pause before the event at `next`: that is later than usual, or somebody has asked
 * for something. */
static G_GNUC_NO_INLINE bool must_stop(Machine *machine, uint64_t next)
{
    if (atomic_load(&machine->asked) & MACH_ASKED_FOR_PROGRESS) {
        atomic_fetch_and(&machine->asked, ~(unsigned)MACH_ASKED_FOR_PROGRESS);
        tell_progress(machine);
    }
    if (atomic_fetch_and(&machine->asked, ~(unsigned)MACH_ASKED_FOR_MEMORY) & MACH_ASKED_FOR_MEMORY) {
        mach_run_stop(machine, MACH_STOP_MEMORY, 0);
    } else if (mach_output_error(machine->output)) {
        mach_run_stop(machine, MACH_STOP_INTERRUPT, 0);
    } else if (next == UINT64_MAX) {
        mach_run_stop(machine, machine->running ? MACH_STOP_DEADLOCK : MACH_STOP_FINISHED, 0);
    } else if (machine->options.max_time_ps && next > machine->options.max_time_ps && machine->running) {
        machine->now = machine->options.max_time_ps;
        mach_run_stop(machine, MACH_STOP_MAX_TIME, 0);
    } else if (atomic_fetch_and(&machine->asked, ~(unsigned)MACH_ASKED_TO_PAUSE) & MACH_ASKED_TO_PAUSE) {
        mach_run_pause(machine, MACH_STOP_INTERRUPT, 0);
    } else {
        return false;
    }
    return true;
}

/* Returns the next time of the network beside background traffic. Background traffic alone keeps nothing going: if no
 * rank can run, and nothing of theirs that could still move is under way, nothing comes any more. */
static G_GNUC_NO_INLINE uint64_t next_beside_background(const Machine *machine, const BaseEvent *top, uint64_t others)
{
    uint64_t network = net_next_time(machine->net);
    if (!top && others == UINT64_MAX && machine->held_ps == UINT64_MAX &&
        (!machine->in_flight || network == UINT64_MAX))
        return UINT64_MAX;
    return MIN(network, traffic_background_next(machine->background));
}

/* Takes what the network does at machine->now, or more on its own before others do anything. At equal times the
 * background traffic comes first. */
static void step_network(Machine *machine, uint64_t others_ps)
{
    if (G_UNLIKELY(machine->background)) {
        if (traffic_background_next(machine->background) == machine->now)
            traffic_background_step(machine->background);
        else
            net_step(machine->net);
        return;
    }
    machine->events += net_step_until(machine->net, others_ps) - 1;
}

/* Returns whether the held call comes before everything else, and nobody has asked for anything. What other threads
 * bring is collected first, because it may change all of that. */
static inline bool holds_next(Machine *machine, uint64_t usual)
{
    uint64_t others = clock_of_others(machine), held_ps = machine->held_ps;
    return !machine->circling && !machine->budget_in_order && held_ps < base_queue_next_time(machine->queue) &&
           held_ps < net_next_time(machine->net) && held_ps <= usual && held_ps < others && !machine->woken &&
           !machine->background && !atomic_load_explicit(&machine->asked, memory_order_relaxed);
}

/* Takes one held call after the other: a rank that computes in between, or sends several messages, is often next
 * again. */
static inline void take_all_held(Machine *machine, uint64_t usual)
{
    take_held(machine);
    for (unsigned n = 0; n < LOOK_EVENTS && holds_next(machine, usual); n++) {
        mach_run_reach(machine, machine->held_ps);
        machine->events++;
        take_held(machine);
    }
}

/* Takes one event after the other while nothing is unusual; run_events() below has the whole of it. Returns false if
 * what comes next is unusual, without having begun with it. */
static bool run_usual_events(Machine *machine)
{
    for (unsigned turns = 0;;) {
        uint64_t queued = base_queue_next_time(machine->queue), network = net_next_time(machine->net);
        uint64_t held = machine->held_ps, effect = MIN(queued, network), next = MIN(effect, held);
        if (G_UNLIKELY(next == UINT64_MAX || held == effect || machine->circling ||
                       mach_output_error(machine->output) ||
                       atomic_load_explicit(&machine->asked, memory_order_relaxed)))
            return false;
        mach_run_reach(machine, next);
        machine->events++;
        machine->turns_taken = 0;
        if (++turns % LOOK_EVENTS == 0)
            mach_tiers_look(machine->tiers, false);
        if (turns % FEW_EVENTS == 0)
            mach_budget_look(machine);
        if (held < effect)
            take_held(machine);
        else if (queued == next && (next < network || base_queue_top(machine->queue)->kind < MACH_EVENT_NETWORK))
            take_event(machine);
        else
            machine->events += net_step_until(machine->net, MIN(queued, held)) - 1;
        if (machine->woken)
            resume_woken(machine);
        if (machine->stopped || machine->stop == MACH_STOP_HOOK)
            return true;
        if (G_UNLIKELY(!machine->usual)) /* a rank has begun to have several threads */
            return false;
    }
}

/* Nothing more can happen. Returns whether mpi/ ends a wait that it would otherwise leave to the explanation of a
 * deadlock. */
static bool goes_on_after_all(Machine *machine)
{
    if (!mpi_world_relent(machine->mpi, machine->now))
        return false;
    if (machine->woken)
        resume_woken(machine);
    return true;
}

static MachStop run_events(Machine *machine)
{
    machine->stop = MACH_STOP_FINISHED;
    machine->usual = is_usual(machine);
    uint64_t usual = last_usual(machine);
    unsigned turns = 0;
    if (G_UNLIKELY(machine->halted)) { /* nothing may come between the parts of a piece */
        uint32_t task = machine->halted - 1;
        run_rank(machine, &machine->processes[task], task);
        if (machine->stop == MACH_STOP_HOOK)
            return machine->stop;
    }
    for (;;) {
        if (machine->usual && run_usual_events(machine))
            return machine->stop;
        uint64_t others = clock_of_others(machine);
        if (G_UNLIKELY(machine->circling) && mach_polling_for_ever(machine)) {
            if (goes_on_after_all(machine))
                continue;
            mach_run_stop(machine, MACH_STOP_DEADLOCK, 0);
            return machine->stop;
        }
        if (G_UNLIKELY(machine->kill_ps) && mach_kills_skip(machine))
            continue;
        if (G_UNLIKELY(machine->nodes != NULL) && mach_sharing_skip(machine))
            continue;
        const BaseEvent *top = base_queue_top(machine->queue);
        uint64_t network = G_UNLIKELY(machine->background) ? next_beside_background(machine, top, others)
                                                           : net_next_time(machine->net);
        uint64_t effect = top ? MIN(top->time_ps, network) : network;
        if (G_UNLIKELY(machine->held_ps == effect) && effect != UINT64_MAX) { /* equal times: kind and rank decide */
            mach_advance_release_held(machine);
            continue;
        }
        bool held = machine->held_ps < effect;
        effect = MIN(effect, machine->held_ps);
        uint64_t next = MIN(effect, others);
        if (G_UNLIKELY(next == UINT64_MAX) && machine->running && goes_on_after_all(machine))
            continue;
        if (next > machine->now && G_UNLIKELY(machine->budget_in_order) && !mach_budget_reach(machine, next)) {
            mach_run_stop(machine, MACH_STOP_MEMORY, 0);
            return machine->stop;
        }
        if (next > machine->now)
            mach_output_flush(machine->output, next);
        if (G_UNLIKELY(next > usual || mach_output_error(machine->output) ||
                       atomic_load_explicit(&machine->asked, memory_order_relaxed)) &&
            must_stop(machine, next))
            return machine->stop;
        assert(next >= machine->now);
        if (next > machine->now)
            machine->turn = 0;
        machine->now = next;
        machine->events++;
        if (++turns % LOOK_EVENTS == 0)
            mach_tiers_look(machine->tiers, false);
        if (turns % FEW_EVENTS == 0)
            mach_budget_look(machine);
        if (G_UNLIKELY(others <= effect)) {
            mach_workers_help(machine->workers, effect);
            continue;
        }
        if (G_UNLIKELY(others != UINT64_MAX))
            mach_workers_expect(machine->workers, effect);
        if (held)
            take_all_held(machine, usual);
        else if (top && top->time_ps == next && (next < network || top->kind < MACH_EVENT_NETWORK))
            take_event(machine);
        else
            step_network(machine, MIN(MIN(top ? top->time_ps : UINT64_MAX, others), MIN(machine->held_ps, usual)));
        if (machine->woken)
            resume_woken(machine);
        if (machine->stopped || machine->stop == MACH_STOP_HOOK)
            return machine->stop;
    }
}

MachStop mach_run(Machine *machine)
{
    if (machine->looks)
        mach_tasks_look_away(machine);
    if (machine->stopped)
        return machine->stop;
    MachStop stop = run_events(machine);
    machine->usual = false;
    if (machine->clipped && !machine->options.explore)
        net_network_settle(machine->net, machine->now);
    return stop;
}

void mach_run_on(Machine *machine)
{
    machine->runs_on = true;
    while (machine->stop == MACH_STOP_FAULT || machine->stop == MACH_STOP_ABORT) {
        machine->processes[machine->stopped_rank].state = MACH_RANK_FAULTED;
        machine->running--;
        machine->stopped = machine->clipped = false;
        mach_run(machine);
    }
}

void mach_run_interrupt(Machine *machine)
{
    atomic_fetch_or(&machine->asked, MACH_ASKED_TO_PAUSE);
}

void mach_run_request_progress(Machine *machine)
{
    atomic_fetch_or(&machine->asked, MACH_ASKED_FOR_PROGRESS);
}
