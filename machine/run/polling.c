/* polling.c - loops that poll take no host time while nothing comes.
 *
 * while (!flag) MPI_Test(...) makes ten million polls in a second of virtual time. After some polls that found nothing,
 * the next turn of the loop is watched (vm/rank/circle.c). Suppose that the rank comes to the same poll in the same
 * state, and nothing has come for it. Then it will go on like this, with polls one period apart, until something comes.
 * So its poll is not queued: the rank is *parked*.
 *
 *     poll k-1          poll k: the same state      k+1        k+2        k+3
 *        |---- period ----|---------------------------|----------|----------|--------> never executed
 *                       parked                                 ^ touched: goes on with poll k+3
 *
 * Before something happens that its polls could find (MpiEnv.touch), and at the end of the run, the polls that had
 * their turn before are accounted for in closed form, and the next one is queued. The order is that of scheduler.c: at
 * one instant, a poll comes after everything that moves messages, and among calls in the order of ranks.
 *
 * This is exact, so no result shows it. Observers of calls and the debugger want to see each poll: then no rank is
 * parked. No rank is parked either if turns of its loop differ in time (noise, caches, a branch predictor, out-of-order
 * execution, a core that it shares), or if a turn has several polls. But the program is in the same state as one turn
 * before, and it cannot see the time, or the circle would be open. So this rank, too, goes on polling in vain until it
 * is touched. Only the time of each turn has to be worked out turn by turn. Such a rank is *circling*.
 *
 * Ranks whose nodes have run queues (sharing.c), and threads, circle as well. Where a thread circles, nothing else may
 * happen in its rank: whatever another thread does, or an alarm, ends that. A task that circles and is alone on its
 * core goes straight to its last poll before the next event of all but those of others that circle, for these change
 * nothing until then.
 *
 * If all remaining ranks are blocked, parked or circling, and nothing is under way, nothing can ever happen. Then the
 * run ends as a deadlock. Strictly it would go on for ever.
 *
 * A loop that reads memory which ranks share until another rank writes there is parked in the same way, and touched
 * before each write to such memory.
 *
 * A loop that counts its turns, looks at the clock or prints may end by itself, and nobody can tell whether it will. So
 * it goes on. But when nothing has been under way for very many polls, a note says so.
 */
#include "machine/run/polling.h"
#include "base/units.h"
#include "machine/run/advance.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"
#include "machine/run/workers.h"

#include <assert.h>

enum { MOST_IN_A_TURN = 256 }; /* most polls in a turn of a loop */
enum { PATIENCE = 1 << 17 };   /* polls until a note says that nothing can come */
/* To look for the next event takes as long as so many polls; looked for in vain, it is again after that many at most.
 */
enum { LEAST_SKIPPED = 4, MOST_PATIENCE = 32 };

struct MachPoll {
    uint32_t rank;
    uint32_t task;     /* the one of the rank's that polls */
    uint32_t next_try; /* the loop is watched again after so many polls that found nothing */
    bool watched, parked, circling;
    bool even;            /* all turns of the circle take the same time, and nobody wants to see them */
    uint32_t patience;    /* if it circles: polls between looks for the next event */
    uint32_t polls_left;  /* polls until the next of these looks */
    bool reads;           /* the polls of the watched or parked loop are reads of shared memory */
    uint32_t in_vain;     /* reads of shared memory since it was last written */
    uint64_t written;     /* writes to shared memory before the last read */
    uint32_t polls;       /* number of polls when watching began */
    uint64_t at_ps;       /* virtual time when watching began; later fields refer to the same moment */
    uint64_t calls;       /* calls of MPI then */
    uint64_t cycles;      /* cycles then */
    uint64_t overhead_ps; /* overhead then; from the second poll on, the overhead of one period */
    uint64_t slept_ps;    /* time asleep then; from the second poll on, the time asleep in one period */
    uint64_t period_ps;
};

static MachPoll *find(Machine *machine, uint32_t rank)
{
    MachPoll *poll = g_hash_table_lookup(machine->polls, GUINT_TO_POINTER(rank));
    if (!poll) {
        poll = g_new0(MachPoll, 1);
        poll->rank = poll->task = rank;
        poll->next_try = MACH_LEAST_POLLS;
        g_hash_table_insert(machine->polls, GUINT_TO_POINTER(rank), poll);
    }
    return poll;
}

static bool somebody_listens(const Machine *machine)
{
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->activity || observer->call)
            return true;
    }
    return machine->hooked;
}

static uint64_t overhead_of(const Machine *machine, uint32_t rank)
{
    return mpi_world_stats(machine->mpi, rank)->overhead_ps;
}

static void watch(Machine *machine, MachPoll *poll, uint32_t polls)
{
    VmRank *rank = vm_world_rank(machine->vm, poll->rank);
    poll->watched = machine->processes[poll->rank].watched = vm_circle_begin(rank);
    machine->processes[poll->rank].poller = poll->watched ? poll->task + 1 : 0;
    poll->reads = false;
    poll->polls = polls;
    poll->at_ps = machine->now;
    poll->calls = mpi_world_stats(machine->mpi, poll->rank)->calls;
    poll->cycles = vm_rank_clock(rank)->cycles;
    poll->overhead_ps = overhead_of(machine, poll->rank);
    poll->slept_ps = mpi_world_stats(machine->mpi, poll->rank)->blocked_ps; /* only sleep blocks between polls */
}

/* Returns, at the next poll, whether the turn may go on to further polls. */
static bool in_a_turn(const Machine *machine, const MachPoll *poll, uint32_t polls)
{
    const VmRank *rank = vm_world_rank(machine->vm, poll->rank);
    return polls >= poll->polls && polls - poll->polls < MOST_IN_A_TURN && !vm_circle_is_open(rank) &&
           !vm_circle_closed(rank);
}

static void forget_watch(Machine *machine, MachPoll *poll)
{
    MachProcess *process = &machine->processes[poll->rank];
    vm_circle_end(vm_world_rank(machine->vm, poll->rank));
    poll->watched = process->watched = false;
    process->poller = 0;
}

/* Ends the watch as the turn is over. Returns true if the turn repeats itself. */
static bool end_watch(Machine *machine, MachPoll *poll, uint32_t polls)
{
    VmRank *rank = vm_world_rank(machine->vm, poll->rank);
    bool closed = polls > poll->polls && vm_circle_closed(rank);
    forget_watch(machine, poll);
    poll->next_try = polls > poll->polls && poll->next_try < UINT32_MAX / 2 ? 2 * poll->next_try : MACH_LEAST_POLLS;
    return closed;
}

/* The turn has been watched: now the fields tell what one takes. */
static void measure_turn(const Machine *machine, MachPoll *poll)
{
    poll->period_ps = machine->now - poll->at_ps;
    poll->overhead_ps = overhead_of(machine, poll->rank) - poll->overhead_ps;
    poll->slept_ps = mpi_world_stats(machine->mpi, poll->rank)->blocked_ps - poll->slept_ps;
    poll->cycles = vm_rank_clock(vm_world_rank(machine->vm, poll->rank))->cycles - poll->cycles;
    poll->at_ps = machine->now;
}

static void park(Machine *machine, MachPoll *poll)
{
    measure_turn(machine, poll);
    poll->parked = true;
    machine->processes[poll->rank].called = true;
    g_ptr_array_add(machine->parked, poll);
    machine->spinning += poll->reads;
    assert(poll->period_ps > poll->overhead_ps && (poll->overhead_ps > 0 || poll->reads));
}

/* Handles a poll of a program that is explored. The explorer wants to know, from the first turn of each loop on,
 * whether the loop only waits: then it makes no difference how often it goes round. */
static bool explored_request(Machine *machine, uint32_t rank, uint32_t polls)
{
    MachPoll *poll = find(machine, rank);
    if (poll->watched) {
        bool waits = vm_circle_closed(vm_world_rank(machine->vm, rank)), forced = waits;
        if (waits)
            forced = mpi_world_waits(machine->mpi, rank);
        if (end_watch(machine, poll, polls) && !forced) {
            park(machine, poll);
            return true;
        }
    }
    if (mpi_world_first_poll(machine->mpi, rank) || (polls && polls % MACH_LEAST_POLLS == 0))
        watch(machine, poll, polls);
    return false;
}

/* Returns whether all turns are like the last, in time as well, and no observer wants to see them. Those with a task
 * do not sleep in them. */
static bool is_even(const Machine *machine, const MachPoll *poll)
{
    bool sleeps = mpi_world_stats(machine->mpi, poll->rank)->blocked_ps != poll->slept_ps;
    return mpi_world_stats(machine->mpi, poll->rank)->calls == poll->calls + !poll->reads && !machine->noise &&
           !(sleeps && (poll->reads || machine->processes[poll->task].share)) &&
           vm_circle_takes_same_time(vm_world_rank(machine->vm, poll->rank)) && !somebody_listens(machine);
}

static bool can_park(const Machine *machine, const MachPoll *poll)
{
    return !machine->processes[poll->task].share && is_even(machine, poll);
}

static void circle(Machine *machine, MachPoll *poll)
{
    poll->even = machine->processes[poll->task].share && is_even(machine, poll);
    if (poll->even)
        measure_turn(machine, poll);
    poll->patience = 1;
    poll->polls_left = 0;
    machine->circling++;
    poll->circling = machine->processes[poll->task].circles = true;
    machine->processes[poll->rank].poller = poll->task + 1;
}

static void stop_circling(Machine *machine, MachPoll *poll)
{
    if (!poll->circling)
        return;
    machine->circling--;
    poll->circling = machine->processes[poll->task].circles = false;
    machine->processes[poll->rank].poller = 0;
}

void mach_polling_disturb(Machine *machine, uint32_t rank)
{
    MachPoll *poll = g_hash_table_lookup(machine->polls, GUINT_TO_POINTER(rank));
    stop_circling(machine, poll);
    if (poll->watched)
        forget_watch(machine, poll);
}

/* Returns whether messages of ranks or wake-ups are under way. Background traffic alone brings nothing. */
static bool anything_under_way(const Machine *machine)
{
    if (machine->under_way || machine->woken)
        return true;
    return net_next_time(machine->net) != UINT64_MAX && (!machine->background || machine->in_flight);
}

static bool is_task_idle(const Machine *machine, uint32_t task, uint32_t polls)
{
    const MachProcess *process = &machine->processes[task];
    if (process->state != MACH_RANK_READY)
        return true;
    const MachPoll *poll = g_hash_table_lookup(machine->polls, GUINT_TO_POINTER(process->rank));
    return poll && poll->task == task &&
           (poll->circling || poll->parked || mpi_world_idle_polls(machine->mpi, process->rank) >= polls);
}

/* Returns whether a rank cannot get on, with none of its threads. One that has polled in vain `polls` times counts as
 * idle. */
static bool is_idle(const Machine *machine, uint32_t rank, uint32_t polls)
{
    bool idle = is_task_idle(machine, rank, polls);
    for (uint32_t i = 1; idle && i < mach_tasks_numbers(machine, rank); i++) {
        uint32_t task = mach_tasks_of(machine, rank, i);
        idle = task == MACH_NO_TASK || is_task_idle(machine, task, polls);
    }
    return idle;
}

static bool all_idle(Machine *machine, uint32_t polls)
{
    for (uint32_t i = 0; i < machine->ranks; i++, machine->awake = (machine->awake + 1) % machine->ranks)
        if (!is_idle(machine, machine->awake, polls))
            return false;
    return true;
}

bool mach_polling_for_ever(Machine *machine)
{
    return !anything_under_way(machine) && all_idle(machine, UINT32_MAX);
}

static void tell_polling(Machine *machine, uint32_t rank)
{
    if (machine->told_polling || anything_under_way(machine) || !all_idle(machine, MACH_LEAST_POLLS))
        return;
    machine->told_polling = true;
    g_autofree char *time = base_units_format_time(machine->now);
    mach_run_note(
        machine,
        "since virtual time %s at the latest, nothing is under way, and each rank that has not ended waits or polls in "
        "vain (%s of rank %u, %d times): nothing can come for them, unless their loops end by themselves",
        time, vm_rank_request(vm_world_rank(machine->vm, rank))->function->name, rank, PATIENCE);
}

/* -- going straight to a later poll ------------------------------------------------------------ */

/* Whether an event may change something for a task that circles. Those of others that circle do not. */
static bool is_of_others(const BaseEvent *event, void *user)
{
    const Machine *machine = user;
    switch ((MachEventKind)event->kind) {
    case MACH_EVENT_READY: return !machine->processes[event->rank].circles;
    case MACH_EVENT_CALL: return event->a == MACH_CALL_WAKE || !machine->processes[event->b].circles;
    case MACH_EVENT_CORE:
    case MACH_EVENT_TIMER: return mach_sharing_expects(machine, event);
    default: return true;
    }
}

/* Returns the time up to which nothing happens but calls of tasks that circle; 0: nobody knows. */
static uint64_t next_of_others(Machine *machine)
{
    uint64_t next_ps = machine->workers ? mach_workers_bound(machine->workers) : UINT64_MAX;
    if ((machine->workers && mach_workers_news(machine->workers)) || machine->woken || machine->background ||
        machine->kill_ps || machine->budget_in_order)
        return 0;
    if (!machine->processes[machine->held_rank].circles)
        next_ps = MIN(next_ps, machine->held_ps);
    if (machine->options.max_time_ps)
        next_ps = MIN(next_ps, machine->options.max_time_ps);
    next_ps = MIN(next_ps, net_next_time(machine->net));
    return MIN(next_ps, base_queue_next_of(machine->queue, is_of_others, machine));
}

static void account_polls(Machine *machine, MachPoll *poll, uint64_t times);

/* Lets a task that circles, instead of this poll, go on with the last one before the next event of others. */
static bool skip(Machine *machine, MachPoll *poll)
{
    if (!poll->even || poll->polls_left-- || !mach_sharing_is_alone(machine, poll->task))
        return false;
    uint64_t next_ps = next_of_others(machine);
    uint64_t times =
        next_ps > machine->now && next_ps != UINT64_MAX ? (next_ps - machine->now - 1) / poll->period_ps : 0;
    poll->patience = times < LEAST_SKIPPED ? MIN(2 * poll->patience, MOST_PATIENCE) : 1;
    poll->polls_left = poll->patience;
    if (times < LEAST_SKIPPED)
        return false;
    poll->at_ps = machine->now;
    account_polls(machine, poll, times);
    machine->processes[poll->task].called = true;
    mach_advance_queue_call(machine, poll->task, machine->processes[poll->task].call_ps, MACH_CALL_REQUEST);
    return true;
}

bool mach_polling_look(Machine *machine, uint32_t task)
{
    uint32_t rank = machine->processes[task].rank;
    uint32_t polls = mpi_world_idle_polls(machine->mpi, rank);
    bool watched = machine->processes[rank].watched;
    if (machine->options.explore && !machine->hooked)
        return explored_request(machine, rank, polls);
    if (polls < MACH_LEAST_POLLS && !watched)
        return false;
    MachPoll *poll = find(machine, rank);
    if (G_UNLIKELY(polls == PATIENCE) && !poll->circling)
        tell_polling(machine, rank);
    if (poll->circling)
        return skip(machine, poll);
    if (watched && in_a_turn(machine, poll, polls))
        return false;
    poll->task = task;
    if (watched && end_watch(machine, poll, polls)) {
        if (can_park(machine, poll)) {
            park(machine, poll);
            return true;
        }
        circle(machine, poll);
        return skip(machine, poll);
    }
    if (polls == MACH_LEAST_POLLS)
        poll->next_try = MACH_LEAST_POLLS;
    if (polls >= poll->next_try)
        watch(machine, poll, polls);
    return false;
}

/* Returns how many polls of a parked rank, the first included, have had their turn once calls up to number `turn` at
 * time_ps have had theirs. */
static uint64_t polls_before(const MachPoll *poll, uint64_t time_ps, uint64_t turn)
{
    uint64_t elapsed = time_ps - poll->at_ps;
    bool at_time = elapsed % poll->period_ps == 0 && 2 * (uint64_t)poll->rank + 1 <= turn;
    return (elapsed + poll->period_ps - 1) / poll->period_ps + at_time;
}

/* Reads of shared memory move no anchor of the clock, so their times are rounded from the same one, each by itself. */
static uint64_t time_of_read(const Machine *machine, const MachPoll *poll, uint64_t number)
{
    const VmClock *clock = vm_rank_clock(vm_world_rank(machine->vm, poll->rank));
    return vm_clock_at(clock, clock->cycles + number * poll->cycles);
}

/* The same as polls_before(), for reads. */
static uint64_t reads_before(const Machine *machine, const MachPoll *poll, uint64_t time_ps, uint64_t turn)
{
    uint64_t end_ps = time_ps + (2 * (uint64_t)poll->rank + 1 <= turn); /* those at time_ps have had theirs, too */
    uint64_t times = (end_ps - poll->at_ps) / poll->period_ps;
    while (times && time_of_read(machine, poll, times - 1) >= end_ps)
        times--;
    while (time_of_read(machine, poll, times) < end_ps)
        times++;
    return times;
}

/* The rank has read `times` times in vain. */
static void account_reads(Machine *machine, MachPoll *poll, uint64_t times)
{
    MachProcess *process = &machine->processes[poll->rank];
    VmClock *clock = vm_rank_clock(vm_world_rank(machine->vm, poll->rank));
    process->call_ps = time_of_read(machine, poll, times);
    if (!times)
        return;
    uint64_t last_ps = time_of_read(machine, poll, times - 1);
    clock->cycles += times * poll->cycles;
    process->compute_ps += last_ps - poll->at_ps;
    process->resumed_ps = last_ps;
    process->resumed_overhead_ps = overhead_of(machine, poll->rank);
    process->resumed_calls = process->stats->calls;
}

static void account_polls(Machine *machine, MachPoll *poll, uint64_t times)
{
    MachProcess *process = &machine->processes[poll->task];
    process->call_ps = poll->at_ps + times * poll->period_ps;
    if (!times)
        return;
    vm_clock_repeat(vm_rank_clock(vm_world_rank(machine->vm, poll->rank)), times, poll->period_ps, poll->cycles);
    mpi_world_repeat_poll(machine->mpi, poll->rank, times, poll->overhead_ps);
    process->compute_ps += (times - 1) * (poll->period_ps - poll->overhead_ps - poll->slept_ps);
    mpi_world_slept(machine->mpi, poll->rank, (times - 1) * poll->slept_ps);
    process->slept_ps = poll->slept_ps; /* time asleep in the period that ends with the next call */
    process->resumed_ps = poll->at_ps + (times - 1) * poll->period_ps + poll->overhead_ps;
    process->resumed_overhead_ps = overhead_of(machine, poll->rank);
    process->resumed_calls = process->stats->calls;
}

static void unpark(Machine *machine, MachPoll *poll, uint64_t time_ps, uint64_t turn)
{
    MachProcess *process = &machine->processes[poll->rank];
    assert(poll->parked && process->state == MACH_RANK_READY && time_ps >= poll->at_ps);
    if (poll->reads)
        account_reads(machine, poll, reads_before(machine, poll, time_ps, turn));
    else
        account_polls(machine, poll, polls_before(poll, time_ps, turn));
    poll->parked = false;
    machine->spinning -= poll->reads;
    g_ptr_array_remove_fast(machine->parked, poll);
    mach_advance_queue_call(machine, poll->rank, process->call_ps, MACH_CALL_REQUEST);
}

void mach_polling_touch(Machine *machine, uint32_t rank)
{
    MachPoll *poll = g_hash_table_lookup(machine->polls, GUINT_TO_POINTER(rank));
    if (poll && poll->parked)
        unpark(machine, poll, machine->now, machine->turn);
    else if (poll)
        stop_circling(machine, poll);
}

/* A loop that reads shared memory polls as well. It is simpler: it looks at one place only, and what it finds may
 * change only when some rank writes. */
bool mach_polling_read(Machine *machine, uint32_t rank)
{
    MachPoll *poll = find(machine, rank);
    bool again = poll->in_vain && poll->written == machine->shared_writes;
    poll->in_vain = again && poll->in_vain < UINT32_MAX ? poll->in_vain + 1 : 1;
    poll->written = machine->shared_writes;
    if (poll->watched && !poll->reads)
        return false;
    if (poll->watched) {
        bool closed = end_watch(machine, poll, again ? poll->in_vain : 0);
        poll->reads = true;
        if (again && closed && can_park(machine, poll)) {
            park(machine, poll);
            return true;
        }
    } else if (poll->in_vain >= poll->next_try || poll->in_vain == MACH_LEAST_POLLS) {
        watch(machine, poll, poll->in_vain);
        poll->reads = true;
    }
    return false;
}

void mach_polling_touch_sharers(Machine *machine)
{
    machine->shared_writes++;
    for (guint i = machine->spinning ? machine->parked->len : 0; i-- > 0;) {
        MachPoll *poll = g_ptr_array_index(machine->parked, i);
        if (poll->reads)
            unpark(machine, poll, machine->now, machine->turn);
    }
}

void mach_polling_end(Machine *machine, bool time_is_up)
{
    uint64_t turn = time_is_up ? UINT64_MAX : machine->turn;
    while (machine->parked->len)
        unpark(machine, g_ptr_array_index(machine->parked, machine->parked->len - 1), machine->now, turn);
}

void mach_polling_pause(Machine *machine)
{
    GHashTableIter iter;
    gpointer value;
    mach_polling_end(machine, false);
    g_hash_table_iter_init(&iter, machine->polls);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        MachPoll *poll = value;
        stop_circling(machine, poll);
        forget_watch(machine, poll);
    }
}
