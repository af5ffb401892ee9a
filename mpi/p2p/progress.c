/* progress.c - who handles what arrives: the rank in its calls, a communication thread, or the network interface.
 *
 *   inline    transfer.c: on the time of the rank's blocked call, or in its next one
 *   thread    --> the thread, one thing after the other; it pays what the rank would --+--> alarm --> handled:
 *   offload   --> the network interface, for the matching alone; data go in place   --+    answers leave at once,
 *                                                                                          a blocked rank goes on,
 *                                                                                          another finds it done in
 *                                                                                          its next call
 *
 * A thread has a core of its own, or shares cores with ranks (MpiEnv.work). It works for one rank or for all ranks of
 * its node, and handles everything that comes for them: messages, accesses to windows (rma/remotes.c), steps of
 * collectives in the background. Functions of the program are not its work: operators and callbacks run in calls of the
 * rank, on its processor.
 *
 * A rank that computes may have come further, in the simulator, than what is handled. Data for it wait in its inbox for
 * its next call, before which it may not look at them. Data that leave its buffer are read when it has run ahead to its
 * next call (MpiEnv.still), before which it may not change them. */
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <assert.h>

const char *const *mpi_progress_kinds(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MPI_PROGRESSES);
    return names;
}

const char *const *mpi_progress_shares(void)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MPI_THREAD_SHARES);
    return names;
}

/* -- servers ----------------------------------------------------------------------------------- */

typedef struct Server { /* a thread or a network interface */
    uint64_t free_ps;   /* time at which it has done all that it has got so far */
} Server;

typedef struct Servers {     /* what the world keeps; they are made when they are needed */
    GArray *threads, *cards; /* Server, by rank or node, and by network interface */
} Servers;

static void servers_free(gpointer data)
{
    Servers *servers = data;
    g_array_unref(servers->threads);
    g_array_unref(servers->cards);
    g_free(servers);
}

static Servers *servers_of(MpiWorld *world)
{
    Servers *servers = mpi_world_slot(world, MPI_SLOT_PROGRESS);
    if (!servers) {
        servers = g_new0(Servers, 1);
        servers->threads = g_array_new(FALSE, TRUE, sizeof(Server));
        servers->cards = g_array_new(FALSE, TRUE, sizeof(Server));
        mpi_world_set_slot(world, MPI_SLOT_PROGRESS, servers, servers_free);
    }
    return servers;
}

static Server *server_of(const MpiRank *rank, MpiProgress by)
{
    MpiWorld *world = rank->world;
    const MpiEnv *env = &world->env;
    Servers *servers = servers_of(world);
    bool thread = by == MPI_PROGRESS_THREAD;
    GArray *table = thread ? servers->threads : servers->cards;
    uint32_t node = env->node ? env->node(env->user, rank->index) : 0, index = node;
    if (thread && world->params.thread_share == MPI_THREAD_OF_RANK)
        index = rank->index;
    else if (!thread && env->nic)
        index = env->nic(env->user, rank->index);
    if (index >= table->len)
        g_array_set_size(table, index + 1);
    return &g_array_index(table, Server, index);
}

/* Gives work to a thread that shares cores. Returns false if it has one of its own. */
static bool share_core(const MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps, uint64_t cookie)
{
    const MpiEnv *env = &rank->world->env;
    return env->work && by == MPI_PROGRESS_THREAD && env->work(env->user, rank->index, time_ps, work_ps, cookie);
}

uint64_t mpi_progress_serve(MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps)
{
    if (by == MPI_PROGRESS_THREAD)
        mpi_count_thread(rank, work_ps);
    if (share_core(rank, by, time_ps, work_ps, 0))
        return time_ps + work_ps;
    Server *server = server_of(rank, by);
    return server->free_ps = MAX(server->free_ps, time_ps) + work_ps;
}

void mpi_progress_ask(MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps, uint64_t cookie)
{
    const MpiEnv *env = &rank->world->env;
    if (share_core(rank, by, time_ps, work_ps, cookie))
        mpi_count_thread(rank, work_ps);
    else
        env->alarm(env->user, rank->index, mpi_progress_serve(rank, by, time_ps, work_ps), cookie);
}

/* -- the way to and from the network interface ------------------------------------------------- */

void mpi_progress_ring(MpiCall *call, uint32_t to)
{
    const MpiEnv *env = &call->world->env;
    bool worker = call->engine.prepaid;
    if (worker && call->world->progress[MPI_PROGRESS_MESSAGES] == MPI_PROGRESS_OFFLOAD)
        return; /* it is the network interface itself */
    uint64_t rung_ps = env->doorbell(env->user, call->rank->index, to, call->now);
    if (!worker) {
        mpi_call_charge(call, rung_ps - call->now);
        return;
    }
    call->now = rung_ps;
    mpi_progress_serve(call->rank, MPI_PROGRESS_THREAD, rung_ps, 0);
}

static bool is_on_node_of(const MpiRank *rank, uint32_t other)
{
    const MpiEnv *env = &rank->world->env;
    return !env->node || env->node(env->user, rank->index) == env->node(env->user, other);
}

uint64_t mpi_progress_interrupt_ps(const MpiRank *rank, uint32_t other, uint64_t since_ps, uint64_t time_ps)
{
    return since_ps < time_ps && !is_on_node_of(rank, other) ? rank->world->params.interrupt_ps : 0;
}

void mpi_progress_interrupt(MpiCall *call, const MpiMessage *message, uint64_t time_ps)
{
    uint32_t other = message->phase == MPI_PHASE_CTS ? message->to : message->from;
    uint64_t ps = message->from_daemon ? 0 : mpi_progress_interrupt_ps(call->rank, other, call->now, time_ps);
    if (!ps)
        return;
    mpi_call_advance(call, time_ps);
    mpi_call_charge(call, ps);
}

/* -- messages ---------------------------------------------------------------------------------- */

/* What is handled for a rank is done on the time of this agent, which has been paid for. */
static MpiCall *worker_of(MpiRank *rank, uint64_t time_ps)
{
    MpiCall *worker = mpi_rank_slot(rank, MPI_RANK_SLOT_PROGRESS);
    if (!worker) {
        worker = g_new0(MpiCall, 1);
        worker->world = rank->world;
        worker->rank = rank;
        worker->process = rank->process;
        worker->name = "progress";
        worker->background = true;
        mpi_rank_set_slot(rank, MPI_RANK_SLOT_PROGRESS, worker, g_free);
    }
    worker->engine.prepaid = true;
    worker->engine.ahead = false;
    worker->now = time_ps;
    return worker;
}

MpiCall *mpi_progress_begin(MpiRank *rank, MpiProgress by, uint64_t time_ps, uint64_t work_ps)
{
    MpiCall *worker = worker_of(rank, MAX(time_ps, server_of(rank, by)->free_ps));
    worker->entered_ps = worker->now;
    worker->now += work_ps;
    worker->engine.prepaid = by == MPI_PROGRESS_OFFLOAD;
    worker->engine.ahead = true;
    return worker;
}

void mpi_progress_end(MpiCall *worker, MpiProgress by)
{
    server_of(worker->rank, by)->free_ps = worker->now;
    if (by == MPI_PROGRESS_THREAD)
        mpi_count_thread(worker->rank, worker->now - worker->entered_ps);
    worker->engine.ahead = false;
}

uint64_t mpi_progress_free_ps(const MpiRank *rank, MpiProgress by)
{
    return server_of(rank, by)->free_ps;
}

/* Returns the bytes that are copied when the phase is handled. A network interface puts data in place, unless they have
 * been buffered. */
static uint64_t bytes_copied(const MpiMessage *message, MpiProgress by, bool found)
{
    const MpiRequest *receive = message->receive;
    if (message->phase == MPI_PHASE_RTS)
        return 0;
    if (message->phase == MPI_PHASE_CTS)
        return mpi_transfer_is_flat(&message->send->buffer) ? 0 : message->bytes;
    bool in_place = mpi_transfer_is_flat(&receive->buffer) &&
                    (message->rendezvous || (by == MPI_PROGRESS_OFFLOAD && !found && !message->from_daemon));
    return in_place ? 0 : MIN(message->bytes, receive->bytes);
}

/* Returns the time of handling the phase, and of the answer that it needs. */
static uint64_t work_ps(MpiRank *rank, const MpiMessage *message, MpiProgress by, bool found, uint64_t time_ps)
{
    const MpiParams *params = &rank->world->params;
    const MpiEnv *env = &rank->world->env;
    bool payload = mpi_phase_has_payload(message->phase);
    uint64_t copied = bytes_copied(message, by, found), ps = mpi_call_bytes_ps(copied, params->copy_byte_fs);
    uint64_t free_ps = server_of(rank, by)->free_ps, from_ps = MAX(time_ps, free_ps);
    if (copied && env->copy)
        ps = env->copy(env->user, rank->index, copied, from_ps, ps) - from_ps;
    if (message->phase == MPI_PHASE_EAGER || message->phase == MPI_PHASE_RTS)
        ps += params->match_ps + message->receive->searched * params->queue_element_ps;
    if (by == MPI_PROGRESS_OFFLOAD)
        return ps;
    if (!found)
        ps += mpi_progress_interrupt_ps(rank, message->phase == MPI_PHASE_CTS ? message->to : message->from, free_ps,
                                        time_ps);
    ps += mpi_transfer_overhead_ps(&params->recv_overhead, payload ? message->bytes : 0);
    if (message->phase == MPI_PHASE_RTS)
        ps += mpi_transfer_overhead_ps(&params->send_overhead, 0);
    else if (message->phase == MPI_PHASE_CTS)
        ps += mpi_transfer_overhead_ps(&params->send_overhead, message->bytes);
    return ps;
}

uint64_t mpi_progress_offload_ps(MpiRank *rank, const MpiMessage *message, bool found, uint64_t time_ps)
{
    return work_ps(rank, message, MPI_PROGRESS_OFFLOAD, found, time_ps);
}

void mpi_progress_hand_over(MpiRank *rank, MpiProgress by, MpiMessage *message, bool found, uint64_t time_ps)
{
    if (rank->world->protocols) {
        rank->world->upper->protocol_hand_over(rank, by, message, found, time_ps);
        return;
    }
    message->refs++;
    mpi_progress_ask(rank, by, time_ps, work_ps(rank, message, by, found, time_ps),
                     (uint64_t)(uintptr_t)message | MPI_PROGRESS_ALARM);
}

/* The data of a message have come. */
static void take_data(MpiRank *rank, MpiMessage *message, uint64_t time_ps)
{
    MpiCall *call = mpi_call_receptive_for(message->receive);
    message->item.paid = true;
    if (!call) {
        mpi_transfer_inbox_put(rank, message);
        return;
    }
    mpi_call_advance(call, time_ps);
    mpi_transfer_handle(worker_of(rank, time_ps), message);
    mpi_call_settle(call);
}

/* The same for a step of an agent, whose data stay in the simulator's memory until a call of the rank. */
static void take_for_agent(MpiRank *rank, MpiCall *agent, MpiMessage *message, uint64_t time_ps)
{
    mpi_transfer_handle(worker_of(rank, time_ps), message);
    mpi_progress_go_on(agent, time_ps);
}

void mpi_progress_take(MpiRank *rank, const MpiRequest *request, MpiMessage *message, uint64_t time_ps)
{
    const MpiEnv *env = &rank->world->env;
    MpiCall *agent = request->schedule ? mpi_schedule_head(request->schedule)->agent : NULL;
    mpi_call_touch_rank(rank);
    if (agent) {
        take_for_agent(rank, agent, message, time_ps);
    } else if (mpi_phase_has_payload(message->phase)) {
        take_data(rank, message, time_ps);
    } else {
        if (message->phase == MPI_PHASE_CTS && request->buffer.process && env->still && !mpi_call_receptive(rank))
            env->still(env->user, rank->index);
        mpi_transfer_handle(worker_of(rank, time_ps), message);
    }
}

void mpi_progress_done(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiMessage *message = (MpiMessage *)(uintptr_t)(cookie & ~MPI_PROGRESS_ALARM);
    bool back = message->phase == MPI_PHASE_CTS;
    MpiRank *rank = mpi_world_rank(world, back ? message->from : message->to);
    const MpiRequest *request = back ? message->send : message->receive;
    if (request && !rank->failed && !rank->exited)
        mpi_progress_take(rank, request, message, time_ps);
    mpi_transfer_drop(world, message);
}

/* -- agents ------------------------------------------------------------------------------------ */

MpiProgress mpi_progress_of_agent(const MpiCall *agent)
{
    return agent->step ? MPI_PROGRESS_OFFLOAD : agent->world->progress[MPI_PROGRESS_BACKGROUND];
}

MpiProgress mpi_progress_enter(MpiCall *agent, const MpiCall *call, uint64_t time_ps)
{
    MpiProgress by = mpi_progress_of_agent(agent);
    if (by == MPI_PROGRESS_THREAD)
        time_ps = mpi_progress_serve(agent->rank, by, time_ps, 0);
    else if (by == MPI_PROGRESS_INLINE)
        time_ps = call->now;
    agent->entered_ps = agent->now = MAX(agent->now, time_ps);
    return by;
}

void mpi_progress_leave(MpiProgress by, MpiCall *agent, MpiCall *call)
{
    if (by == MPI_PROGRESS_THREAD)
        mpi_progress_serve(agent->rank, by, agent->entered_ps, agent->now - agent->entered_ps);
    else if (by == MPI_PROGRESS_INLINE && agent->now > call->now)
        mpi_call_charge(call, agent->now - call->now);
}

void mpi_progress_step(MpiCall *call, MpiCall *agent, MpiMessage *message, uint64_t time_ps)
{
    MpiProgress by = mpi_progress_enter(agent, call, time_ps);
    mpi_transfer_handle(agent, message);
    mpi_loans_settle(agent->rank);
    agent->world->upper->operation_settle(agent);
    mpi_progress_leave(by, agent, call);
}

void mpi_progress_go_on(MpiCall *agent, uint64_t time_ps)
{
    MpiWorld *world = agent->world;
    MpiCall *call = NULL;
    if (mpi_progress_of_agent(agent) == MPI_PROGRESS_INLINE) {
        call = mpi_call_receptive(agent->rank);
        if (!call) {
            world->upper->operation_keep(agent);
            return;
        }
        mpi_call_advance(call, time_ps);
    }
    MpiProgress by = mpi_progress_enter(agent, call, time_ps);
    mpi_loans_settle(agent->rank);
    world->upper->operation_settle(agent);
    mpi_progress_leave(by, agent, call);
}

/* -- the world --------------------------------------------------------------------------------- */

/* Says who handles each sort. Handling that is not inline has no short way, nor have cores that contend. */
static void begin(MpiWorld *world)
{
    MpiProgress messages = world->params.progress[MPI_PROGRESS_MESSAGES];
    if (messages == MPI_PROGRESS_AUTOMATIC)
        messages = MPI_PROGRESS_INLINE;
    for (unsigned sort = 0; sort < MPI_PROGRESS_SORTS; sort++) {
        MpiProgress progress = world->params.progress[sort];
        bool thread = messages == MPI_PROGRESS_THREAD;
        if (progress == MPI_PROGRESS_AUTOMATIC)
            progress = thread ? MPI_PROGRESS_THREAD : MPI_PROGRESS_OFFLOAD;
        world->progress[sort] = progress;
    }
    world->progress[MPI_PROGRESS_MESSAGES] = messages;
    bool node = world->params.interrupt_ps || world->env.copy || world->env.doorbell;
    world->detailed =
        node || messages != MPI_PROGRESS_INLINE || world->progress[MPI_PROGRESS_BACKGROUND] != MPI_PROGRESS_OFFLOAD;
    if (node || messages != MPI_PROGRESS_INLINE)
        mpi_hooks_close_short(world);
}

MpiProgress mpi_world_progress(const MpiWorld *world, MpiProgressSort sort)
{
    return world->progress[sort];
}

const MpiPart mpi_part_progress = {.begin = begin};
