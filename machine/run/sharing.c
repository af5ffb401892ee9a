/* sharing.c - ranks and the run queues of their nodes.
 *
 * A rank that has a core for itself computes in virtual time. One that shares cores counts processor time: its clock
 * runs from the beginning of a *stint*, when it was told the virtual time, to its next call, and the node (node/) says
 * when it has had so much of a core. Then the clock is set to that time, and the call takes effect.
 *
 *     clock        |------ stint ------|call                           run ahead, as always (scheduler.c)
 *     core           |---|    |-----|  |--|                            slices
 *     virtual time |-----------------------|call
 *
 * So a rank may only look at the clock in its turn, like one that touches files (vm_rank_pace()). What it writes has
 * the time of its clock; it is held back (output.c), and its stint is served in pieces that end where it wrote. Since
 * virtual time is never before the clock, the rank can run ahead by the rules of scheduler.c, in whatever pieces and on
 * whatever thread: how long its stint is will be known before that can have been served.
 *
 * A call keeps the core until it is over, or until it blocks. Then the rank waits as the node says. What arrives for it
 * meanwhile is handled by the library when it has a core again, and charged at that time. A rank that computes needs no
 * core for what arrives: it only looks at it in its next call.
 *
 * A node with one rank gets its run queue when the rank makes its first thread. One with several has it from the
 * beginning if the program may make threads: its ranks must not have run ahead when those of another one take cores.
 *
 * Threads of ranks are tasks, too. What one of them does to the memory of the others must come in the order of virtual
 * time, so such a rank does not run ahead: each of its threads runs a piece (tasks.h) when it has a core and the piece
 * before has been served.
 */
#include "machine/run/sharing.h"
#include "machine/config/config.h"
#include "machine/output/output.h"
#include "machine/run/advance.h"
#include "machine/run/communication.h"
#include "machine/run/noise.h"
#include "machine/run/tasks.h"
#include "machine/run/threads.h"

#include <assert.h>

typedef enum Doing {
    DOING_COMPUTE, /* from base_ps on; it ends with a call */
    DOING_WAIT,    /* for what `arrivals` and `wakes` say */
    DOING_RESUME,  /* its call is over when it has been served */
} Doing;

typedef struct Arrival { /* a transfer has come, and waits until the rank has a core */
    uint64_t cookie, time_ps;
} Arrival;

struct MachShare { /* a rank, or a thread of one, that has a task */
    MachTask *task;
    MachTaskClient client;
    Machine *machine;
    uint32_t rank; /* its row in machine->processes */
    int priority;
    Doing doing;
    bool wakes;           /* its call is over */
    bool handles;         /* the library is handling what has arrived */
    bool keeps;           /* of a thread: its call is over at base_ps, when it runs its next piece */
    bool lets;            /* then it lets others go first */
    uint64_t wakes_at_ps; /* if it wakes: the time up to which the library has worked; 0: that was part of the demand */
    uint64_t base_ps;     /* clock at the beginning of the piece of the stint that is served */
    uint64_t done_ps;     /* processor time of the pieces before it */
    uint64_t piece_ps;    /* clock at the end of that piece */
    uint64_t gone_ready_ps, gone_switches; /* of a rank: of its threads that have ended */
    uint64_t slept_to_ps; /* it has slept in the request that is performed, to this time; 0: it has not */
    GArray *arrivals;     /* Arrival; NULL: none */
};

static MachShare *share_of(const Machine *machine, uint32_t rank)
{
    return machine->processes[rank].share;
}

/* -- making ------------------------------------------------------------------------------------ */

/* Events of cores are in the order of nodes and cores. */
static void at(void *user, MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t time_ps)
{
    Machine *machine = user;
    bool timer = kind == MACH_NODE_TIMER;
    uint32_t number = mach_node_number(node);
    base_queue_push(machine->queue, time_ps, timer ? MACH_EVENT_TIMER : MACH_EVENT_CORE,
                    machine->first_core[number] + index, number, index);
}

static void served(void *user, MachTask *task, uint64_t now_ps);
static void tell_demand(MachShare *share);
static void begin_stint(MachShare *share, uint64_t base_ps);

/* The rank has written something, which is held. */
static void wrote(void *user, uint32_t rank)
{
    MachShare *share = share_of(user, rank);
    if (share->doing == DOING_COMPUTE && !mach_node_is_served(share->task) && !share->machine->processes[rank].threaded)
        tell_demand(share);
}

/* A rank that computes has waited for a core. Waiting in MPI is counted there. */
static void waited(void *user, MachTask *task, uint64_t from_ps, uint64_t to_ps)
{
    const MachShare *share = user;
    (void)task;
    if (share->doing == DOING_COMPUTE)
        mach_run_slept(share->machine, share->rank, from_ps, to_ps, true);
}

static void join(Machine *machine, uint32_t rank, const MachTaskKind *kind)
{
    MachProcess *process = &machine->processes[rank];
    MachShare *share = g_new0(MachShare, 1);
    share->machine = machine;
    share->rank = rank;
    share->priority = kind->priority;
    share->client = (MachTaskClient){share, served, waited};
    share->task = mach_node_add_task(machine->nodes[process->place.node], kind, &share->client);
    process->share = share;
    mach_output_hold(machine->output, rank, true);
}

void mach_sharing_join(Machine *machine, uint32_t rank, uint32_t index, int priority)
{
    MachNode *node = machine->nodes ? machine->nodes[machine->processes[rank].place.node] : NULL;
    if (node)
        join(machine, rank, &(MachTaskKind){.core = index, .priority = priority});
}

/* A thread begins on a core with few tasks, if possible one of its rank's. */
void mach_sharing_join_thread(Machine *machine, uint32_t task, uint32_t rank, const uint64_t *set)
{
    const MachShare *share = machine->processes[rank].share;
    if (share)
        join(machine, task,
             &(MachTaskKind){.core = MACH_ANY_CORE,
                             .priority = share->priority,
                             .thread = true,
                             .near = mach_threads_cores(machine, rank),
                             .set = set});
}

static void share_free(Machine *machine, uint32_t task)
{
    MachShare *share = share_of(machine, task);
    if (share && share->arrivals)
        g_array_unref(share->arrivals);
    g_clear_pointer(&machine->processes[task].share, g_free);
}

/* Whether a node with so many ranks has a run queue from the beginning: it has too few cores, or more tasks may come
 * that the ranks there would have to make room for. One rank alone makes room when it makes its first thread. */
static bool begins_with_queue(const Machine *machine, uint32_t node, uint32_t ranks)
{
    uint32_t tasks = mach_communication_tasks(machine, ranks);
    return machine->spawning || tasks > mach_config_cores(machine->config, node) ||
           ((machine->tasks || machine->binds) && tasks > 1);
}

static void make_node(Machine *machine, uint32_t node)
{
    uint32_t type = mach_node_type_of(machine->config, node);
    const MachConfig *config = &machine->models[type].config;
    machine->nodes[node] = mach_node_new(node, mach_config_seats(config), &config->node, &machine->node_client);
    mach_noise_attach_node(machine, machine->nodes[node]);
}

static void make_queues(Machine *machine)
{
    uint32_t nodes = net_network_nodes(machine->net), first_core = 0;
    machine->nodes = g_new0(MachNode *, nodes);
    machine->first_core = g_new0(uint32_t, nodes);
    machine->node_client = (MachNodeClient){machine, at};
    for (uint32_t node = 0; node < nodes; node++) {
        machine->first_core[node] = first_core;
        first_core += mach_config_cores(machine->config, node);
    }
    mach_output_hold_tasks(machine->output, mach_tasks_room(machine), wrote, machine);
}

void mach_sharing_open(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    uint32_t node = process->place.node;
    if (process->share || machine->options.explore)
        return;
    assert(process->state == MACH_RANK_READY && !process->called && !(machine->nodes && machine->nodes[node]));
    if (!machine->nodes)
        make_queues(machine);
    make_node(machine, node);
    vm_rank_pace(process->vm);
    vm_rank_clock(process->vm)->noise = NULL;
    vm_clock_set(vm_rank_clock(process->vm), machine->now);
    join(machine, rank,
         &(MachTaskKind){.core = process->place.core, .set = threads_world_set(machine->threads, rank, 0)});
    g_assert(process->share); /* it has joined */
    begin_stint(process->share, machine->now);
    mach_node_adopt(process->share->task, machine->now);
}

bool mach_sharing_new(Machine *machine, GError **error)
{
    uint32_t nodes = net_network_nodes(machine->net);
    g_autofree uint32_t *ranks = g_new0(uint32_t, nodes);
    g_autofree int *levels = NULL;
    bool any = machine->spawning;
    if (!mach_node_read_priorities(machine->config, machine->ranks, &levels, error))
        return false;
    if (machine->options.explore) /* in which times mean nothing */
        return true;
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        uint32_t node = machine->processes[rank].place.node;
        any |= begins_with_queue(machine, node, ++ranks[node]);
    }
    if (!any)
        return true;
    make_queues(machine);
    for (uint32_t node = 0; node < nodes; node++) {
        if (begins_with_queue(machine, node, ranks[node]))
            make_node(machine, node);
        ranks[node] = 0;
    }
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        mach_sharing_join(machine, rank, ranks[machine->processes[rank].place.node]++, levels ? levels[rank] : 0);
    mach_communication_join(machine);
    return true;
}

void mach_sharing_free(Machine *machine)
{
    for (uint32_t node = 0; machine->nodes && node < net_network_nodes(machine->net); node++)
        mach_node_free(machine->nodes[node]);
    for (uint32_t task = 0; machine->nodes && task < mach_tasks_room(machine); task++)
        share_free(machine, task);
    g_free(machine->nodes);
    g_free(machine->first_core);
}

uint32_t mach_sharing_most(const Machine *machine)
{
    uint32_t most = 1;
    for (uint32_t node = 0; machine->nodes && node < net_network_nodes(machine->net); node++)
        if (machine->nodes[node])
            most = MAX(most, (mach_node_tasks(machine->nodes[node]) + mach_node_cores(machine->nodes[node]) - 1) /
                                 mach_node_cores(machine->nodes[node]));
    return most;
}

/* -- stints ------------------------------------------------------------------------------------ */

/* Tells the node how long the present piece of the stint is: up to what the rank has written next, or to its call. */
static void tell_demand(MachShare *share)
{
    Machine *machine = share->machine;
    const MachProcess *process = &machine->processes[share->rank];
    uint64_t end_ps = mach_output_held(machine->output, share->rank);
    if (process->called)
        end_ps = MIN(end_ps, process->call_ps);
    else if (process->threaded)
        end_ps = MIN(end_ps, mach_advance_clock(process));
    if (end_ps == UINT64_MAX)
        return;
    end_ps = MAX(end_ps, share->base_ps);
    share->piece_ps = end_ps;
    if (!share->keeps) {
        mach_node_demand(share->task, end_ps - share->base_ps);
        return;
    }
    share->keeps = false;
    mach_node_kept(share->task, machine->now);
    (share->lets ? mach_node_yield : mach_node_go_on)(share->task, machine->now, end_ps - share->base_ps);
}

static void begin_stint(MachShare *share, uint64_t base_ps)
{
    share->doing = DOING_COMPUTE;
    share->base_ps = base_ps;
    share->done_ps = 0;
    share->piece_ps = UINT64_MAX;
}

void mach_sharing_begin(Machine *machine, uint32_t rank)
{
    MachShare *share = share_of(machine, rank);
    uint64_t clock = machine->processes[rank].resumed_ps;
    begin_stint(share, clock);
    mach_node_begin(share->task, machine->now, clock, MACH_DEMAND_UNKNOWN);
    tell_demand(share);
}

void mach_sharing_ran(Machine *machine, uint32_t rank)
{
    tell_demand(share_of(machine, rank));
}

/* Whether the call that is over lets others go first: sched_yield(), or a poll that has found nothing. */
static bool lets_others(const Machine *machine, MachProcess *process)
{
    bool yields = process->yields, synchronised = process->synchronised;
    process->yields = process->synchronised = false;
    return yields || (!synchronised && mach_run_model(machine, process->rank)->config.node.wait == MACH_WAIT_YIELD &&
                      mpi_world_idle_polls(machine->mpi, process->rank) > 0);
}

void mach_sharing_resume(Machine *machine, uint32_t rank)
{
    MachShare *share = share_of(machine, rank);
    uint64_t clock = machine->processes[rank].resumed_ps;
    begin_stint(share, clock);
    bool lets = lets_others(machine, &machine->processes[rank]);
    if (machine->processes[rank].threaded) {
        share->keeps = true;
        share->lets = lets;
        mach_node_keep(share->task);
        base_queue_push(machine->queue, clock, MACH_EVENT_READY, rank, 0, 0);
        return;
    }
    (lets ? mach_node_yield : mach_node_go_on)(share->task, clock, MACH_DEMAND_UNKNOWN);
    tell_demand(share);
}

void mach_sharing_perform(Machine *machine, uint32_t rank, bool yields)
{
    MachShare *share = share_of(machine, rank);
    uint64_t slept_to_ps = share->slept_to_ps;
    share->slept_to_ps = 0;
    begin_stint(share, MAX(machine->now, slept_to_ps));
    if (slept_to_ps > machine->now) {
        mach_node_sleep(share->task, machine->now);
        mach_node_wake(share->task, machine->now, slept_to_ps, MACH_DEMAND_UNKNOWN);
    } else {
        (yields ? mach_node_yield : mach_node_go_on)(share->task, machine->now, MACH_DEMAND_UNKNOWN);
    }
    tell_demand(share);
}

void mach_sharing_perform_last(Machine *machine, uint32_t rank, MachCall call)
{
    MachProcess *process = &machine->processes[rank];
    process->called = true;
    process->call = call;
    process->call_ps = mach_advance_clock(process);
    mach_sharing_perform(machine, rank, false);
}

void mach_sharing_pause(Machine *machine, uint32_t rank)
{
    MachShare *share = share_of(machine, rank);
    mach_node_stop(share->task, MAX(machine->now, mach_advance_clock(&machine->processes[rank])));
}

void mach_sharing_end_pause(Machine *machine, uint32_t rank)
{
    MachShare *share = share_of(machine, rank);
    begin_stint(share, mach_advance_clock(&machine->processes[rank]));
    mach_node_wake(share->task, machine->now, MAX(machine->now, share->base_ps), MACH_DEMAND_UNKNOWN);
    tell_demand(share);
}

static void forget_arrivals(MachShare *share)
{
    share->machine->under_way -= share->wakes + (share->arrivals ? share->arrivals->len : 0);
    share->wakes = false;
    if (share->arrivals)
        g_array_set_size(share->arrivals, 0);
}

void mach_sharing_end(Machine *machine, uint32_t rank)
{
    MachShare *share = share_of(machine, rank);
    forget_arrivals(share);
    mach_node_end(share->task, machine->now);
}

void mach_sharing_leave(Machine *machine, uint32_t task)
{
    MachShare *share = share_of(machine, task);
    MachShare *first = share_of(machine, machine->processes[task].rank);
    forget_arrivals(share);
    first->gone_ready_ps += mach_node_ready_ps(share->task, machine->now);
    first->gone_switches += mach_node_switches(share->task, machine->now);
    mach_node_remove(share->task, machine->now);
    mach_output_hold(machine->output, task, false);
    share_free(machine, task);
}

/* The rank has been served up to its call. */
static void come_to_call(MachShare *share, uint64_t now_ps)
{
    Machine *machine = share->machine;
    MachProcess *process = &machine->processes[share->rank];
    if (now_ps != process->call_ps)
        vm_clock_set(process->threaded ? vm_thread_clock(process->vm, process->thread) : vm_rank_clock(process->vm),
                     now_ps);
    process->call_ps = now_ps;
    mach_advance_hold_call(machine, share->rank, now_ps);
}

/* A piece of a stint is over. */
static void end_piece(MachShare *share, uint64_t now_ps)
{
    Machine *machine = share->machine;
    const MachProcess *process = &machine->processes[share->rank];
    uint64_t done_ps = share->piece_ps;
    mach_output_release(machine->output, share->rank, done_ps, now_ps);
    if (process->called && process->call_ps == done_ps) {
        come_to_call(share, now_ps);
        return;
    }
    share->done_ps += done_ps - share->base_ps;
    share->base_ps = done_ps;
    mach_node_go_on(share->task, now_ps, MACH_DEMAND_UNKNOWN);
    if (process->threaded && !process->called && mach_advance_clock(process) == done_ps) /* it runs a piece now */
        base_queue_push(machine->queue, now_ps, MACH_EVENT_READY, share->rank, 0, 0);
    else
        tell_demand(share);
}

/* -- waiting in MPI ---------------------------------------------------------------------------- */

/* Returns the processor time that the library has used since this was last asked. */
static uint64_t library_ps(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    uint64_t overhead_ps = process->stats->overhead_ps - process->resumed_overhead_ps;
    process->resumed_overhead_ps = process->stats->overhead_ps;
    return overhead_ps;
}

/* Returns whether the call is over, and if so, lets the rank go on when the library is done. */
static bool ends_wait(MachShare *share)
{
    uint64_t until_ps = MAX(share->wakes_at_ps, share->machine->now);
    if (!share->wakes)
        return false;
    share->doing = DOING_RESUME;
    mach_node_go_on(share->task, until_ps, 0);
    return true;
}

void mach_sharing_block(Machine *machine, uint32_t rank, bool sleeps)
{
    MachShare *share = share_of(machine, rank);
    uint64_t from_ps = machine->now + library_ps(machine, rank);
    share->doing = DOING_WAIT;
    if (!ends_wait(share))
        (sleeps ? mach_node_sleep : mach_node_wait)(share->task, from_ps);
}

void mach_sharing_wake(Machine *machine, uint32_t rank, uint64_t time_ps)
{
    MachShare *share = share_of(machine, rank);
    assert(!share->wakes);
    share->wakes = true;
    machine->under_way++;
    bool inside = share->handles || mach_node_is_served(share->task); /* of a call or of what it handles */
    share->wakes_at_ps = inside ? time_ps : 0;
    if (inside)
        return;
    library_ps(machine, rank);
    mach_node_wake(share->task, machine->now, machine->now, time_ps - machine->now);
}

/* Whether the library of a rank that waits handles what has arrived, and not a network interface, a thread or a daemon.
 */
static bool needs_core(const Machine *machine, const MpiTransfer *transfer)
{
    bool remote = transfer->kind == MPI_TRANSFER_ACCESS || transfer->kind == MPI_TRANSFER_WINDOW;
    MpiProgressSort sort = remote ? MPI_PROGRESS_ONE_SIDED : MPI_PROGRESS_MESSAGES;
    return !transfer->daemons && mpi_world_progress(machine->mpi, sort) == MPI_PROGRESS_INLINE;
}

bool mach_sharing_keep(Machine *machine, uint64_t cookie)
{
    MpiTransfer transfer = mpi_world_transfer(cookie);
    const MachProcess *process = &machine->processes[transfer.to];
    MachShare *share = process->share;
    if (!share || process->threaded || process->state != MACH_RANK_BLOCKED || share->doing != DOING_WAIT ||
        share->wakes || !needs_core(machine, &transfer))
        return false;
    if (!share->arrivals)
        share->arrivals = g_array_new(FALSE, FALSE, sizeof(Arrival));
    Arrival arrival = {cookie, machine->now};
    g_array_append_val(share->arrivals, arrival);
    machine->under_way++;
    if (share->arrivals->len == 1)
        mach_node_wake(share->task, machine->now, machine->now, 0);
    return true;
}

/* A rank that waits has a core, and something to do. */
static void handle(MachShare *share, uint64_t now_ps)
{
    Machine *machine = share->machine;
    GArray *arrivals = share->arrivals;
    library_ps(machine, share->rank);
    share->handles = true;
    for (guint i = 0; arrivals && i < arrivals->len && !machine->stopped; i++) {
        machine->under_way--;
        Arrival arrival = g_array_index(arrivals, Arrival, i);
        mpi_world_kept(machine->mpi, arrival.time_ps);
        mpi_world_delivered(machine->mpi, arrival.cookie, now_ps);
    }
    if (arrivals)
        g_array_set_size(arrivals, 0);
    share->handles = false;
    if (!ends_wait(share))
        mach_node_wait(share->task, now_ps + library_ps(machine, share->rank));
}

/* The call of a rank is over. */
static void resume(MachShare *share, uint64_t now_ps)
{
    share->wakes = false;
    share->machine->under_way--;
    library_ps(share->machine, share->rank);
    mach_advance_queue_call(share->machine, share->rank, now_ps, MACH_CALL_WAKE);
}

static void served(void *user, MachTask *task, uint64_t now_ps)
{
    MachShare *share = user;
    (void)task;
    switch (share->doing) {
    case DOING_COMPUTE: end_piece(share, now_ps); break;
    case DOING_WAIT: handle(share, now_ps); break;
    case DOING_RESUME: resume(share, now_ps); break;
    }
}

/* -- the rest ---------------------------------------------------------------------------------- */

void mach_sharing_note_sleep(Machine *machine, uint32_t rank, uint64_t to_ps)
{
    share_of(machine, rank)->slept_to_ps = to_ps;
}

uint64_t mach_sharing_consumed(const Machine *machine, uint32_t rank)
{
    const MachProcess *process = &machine->processes[rank];
    const MachShare *share = process->share;
    uint64_t elapsed_ps = machine->now > process->resumed_ps ? machine->now - process->resumed_ps : 0;
    return MIN(share->done_ps + mach_node_consumed(share->task, machine->now), elapsed_ps);
}

void mach_sharing_stop(Machine *machine, uint32_t rank)
{
    uint32_t task = mach_tasks_selected(machine, rank);
    const MachShare *share = machine->nodes && task != MACH_NO_TASK ? share_of(machine, task) : NULL;
    if (share && mach_node_is_served(share->task))
        mach_output_release(machine->output, task, UINT64_MAX, machine->now);
}

void mach_sharing_event(Machine *machine, const BaseEvent *event)
{
    MachNodeEvent kind = event->kind == MACH_EVENT_TIMER ? MACH_NODE_TIMER : MACH_NODE_CORE;
    mach_node_event(machine->nodes[event->a], kind, (uint32_t)event->b, event->time_ps);
}

bool mach_sharing_skip(Machine *machine)
{
    const BaseEvent *top = base_queue_top(machine->queue);
    if (!top || (top->kind != MACH_EVENT_TIMER && top->kind != MACH_EVENT_CORE))
        return false;
    MachNodeEvent kind = top->kind == MACH_EVENT_TIMER ? MACH_NODE_TIMER : MACH_NODE_CORE;
    if (mach_node_expects(machine->nodes[top->a], kind, (uint32_t)top->b, top->time_ps))
        return false;
    base_queue_drop(machine->queue);
    return true;
}

bool mach_sharing_expects(const Machine *machine, const BaseEvent *event)
{
    const MachNode *node = machine->nodes[event->a];
    uint32_t index = (uint32_t)event->b;
    MachNodeEvent kind = event->kind == MACH_EVENT_TIMER ? MACH_NODE_TIMER : MACH_NODE_CORE;
    if (!mach_node_expects(node, kind, index, event->time_ps))
        return false;
    const MachTaskClient *client = kind == MACH_NODE_CORE ? mach_node_alone(node, index) : NULL;
    return !client || client->served != served || !machine->processes[((const MachShare *)client->user)->rank].circles;
}

bool mach_sharing_is_alone(const Machine *machine, uint32_t task)
{
    const MachShare *share = share_of(machine, task);
    return mach_node_alone(mach_node_of(share->task), mach_node_core(share->task)) == &share->client;
}

bool mach_sharing_lacks_core(const Machine *machine, uint32_t rank)
{
    return mach_node_ready_since(share_of(machine, rank)->task) <= machine->now;
}

uint32_t mach_sharing_core(const Machine *machine, uint32_t task)
{
    return mach_node_core(share_of(machine, task)->task);
}

void mach_sharing_bind(Machine *machine, uint32_t task, const uint64_t *set)
{
    mach_node_bind(share_of(machine, task)->task, set, machine->now);
}

/* Sums what is counted of a rank and of its threads. */
static uint64_t sum_tasks(const Machine *machine, const MachProcess *process, uint64_t gone,
                          uint64_t (*count)(const MachTask *task, uint64_t now_ps))
{
    uint64_t sum = gone;
    for (uint32_t i = 0; i < mach_tasks_numbers(machine, process->rank); i++) {
        uint32_t task = mach_tasks_of(machine, process->rank, i);
        if (task != MACH_NO_TASK && share_of(machine, task))
            sum += count(share_of(machine, task)->task, machine->now);
    }
    return sum;
}

uint64_t mach_sharing_ready_ps(const Machine *machine, const MachProcess *process)
{
    const MachShare *share = process->share;
    return share ? sum_tasks(machine, process, share->gone_ready_ps, mach_node_ready_ps) : 0;
}

uint64_t mach_sharing_switches(const Machine *machine, const MachProcess *process)
{
    const MachShare *share = process->share;
    return share ? sum_tasks(machine, process, share->gone_switches, mach_node_switches) : 0;
}
