/* timing.c - the time that an access takes.
 *
 * By now the access has had its effect. What is left is a walk through phases, on the clock of an agent, each of which
 * ends with an event: the messages of a schedule have come, or the storage has answered.
 *
 *      NAME ------------------------------------> storage ---------------------------------------------> END
 *      single access:   [shared pointer: storage] -> DIRECT: storage, storage ... one run after the other -> END
 *      collective one:  AGREE -> plan (two_phase.c) -> not used: DIRECT
 *                                                   -> used, a write: (EXCHANGE -> STORE) x rounds -> END
 *                                                      used, a read:  (STORE -> EXCHANGE) x rounds -> END
 *
 * Messages have no data: those that have effects are in the file or in the program's memory already. On a machine
 * without [storage] only agreeing takes time. */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/hooks.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"

enum { POINTER_BYTES = 8, SAID_BYTES = 24 };

typedef enum Phase {
    PHASE_BEGIN,
    PHASE_AGREE,
    PHASE_PLAN,
    PHASE_EXCHANGE,
    PHASE_STORE,
    PHASE_ROUND,
    PHASE_DIRECT,
    PHASE_END
} Phase;

typedef struct Access {
    MpiCall agent; /* first member */
    MpiRequest *request;
    MpiFile *file;       /* referenced; NULL: an access to a name */
    MpiMeeting *meeting; /* of a collective access, until it has been left */
    MpiComm *comm;
    Phase phase;
    bool write, finished, collective;
    int error;               /* error class, or MPI_SUCCESS */
    uint64_t sequence, turn; /* of its schedules */
    uint32_t round;
    uint32_t own;     /* index in own_shares of the plan: the next piece of this rank */
    uint32_t storing; /* accesses to storage under way */
    MpiWalk walk;
    MpiView *view;                  /* of the walk; referenced */
    uint64_t run_offset, run_bytes; /* the next run of the walk, if there is one */
    bool has_run;
    uint64_t put_offset, put_bytes; /* a write that follows a read of the same piece; 0 bytes: none */
    GArray *peers, *sizes, *places; /* of the exchange's schedule: int, uint64_t, uint64_t */
} Access;

static MpiStep go(MpiCall *agent);

static Access *access_of(MpiCall *agent)
{
    return (Access *)(void *)agent;
}

static void leave_meeting(Access *access)
{
    if (access->meeting)
        mpi_meeting_leave(access->file->shared, access->meeting);
    access->meeting = NULL;
}

static void access_free(void *state)
{
    Access *access = state;
    if (access->agent.collective.schedule)
        mpi_schedule_free(access->agent.world, access->agent.collective.schedule);
    leave_meeting(access);
    if (access->file)
        mpi_file_unref(access->file);
    mpi_view_unref(access->view);
    g_clear_pointer(&access->peers, g_array_unref);
    g_clear_pointer(&access->sizes, g_array_unref);
    g_clear_pointer(&access->places, g_array_unref);
    g_free(access);
}

/* -- the end ----------------------------------------------------------------------------------- */

static void complete(Access *access)
{
    MpiRank *rank = access->agent.rank;
    uint64_t now = access->agent.now;
    MpiRequest *request = access->request;
    MpiCall *call = mpi_call_receptive_for(request);
    bool awaited = call && request->waiter == call;
    mpi_call_touch_rank(rank);
    mpi_request_complete(request, access->error); /* which may free the access */
    if (!awaited)
        return;
    mpi_call_advance(call, now);
    mpi_call_settle(call);
}

/* Asks for an event at the agent's time. */
static void ask_for_end(Access *access)
{
    const MpiEnv *env = &access->agent.world->env;
    access->phase = PHASE_END;
    access->finished = true;
    env->alarm(env->user, access->agent.rank->index, access->agent.now,
               (uint64_t)(uintptr_t)&access->agent | MPI_AGENT_ALARM);
}

/* -- storage ----------------------------------------------------------------------------------- */

static void store(Access *access, VmStorageSort sort, uint32_t file, uint64_t offset, uint64_t bytes)
{
    const MpiEnv *env = &access->agent.world->env;
    VmStorageAccess what = {.sort = sort, .file = file, .offset = offset, .bytes = bytes};
    access->storing++;
    env->storage(env->user, access->agent.rank->index, &what, access->agent.now, (uint64_t)(uintptr_t)access);
}

void mpi_world_stored(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    Access *access = (Access *)(uintptr_t)cookie;
    g_assert(access->agent.world == world && access->storing > 0);
    mpi_call_advance(&access->agent, time_ps);
    access->storing--;
    go(&access->agent);
}

/* Reads or writes a piece. If it is to be written and has gaps, which must stay, it is read first. */
static void store_piece(Access *access, uint64_t first, uint64_t end, bool gaps)
{
    uint32_t file = access->file->shared->storage;
    if (access->write && gaps) {
        access->put_offset = first;
        access->put_bytes = end - first;
    }
    store(access, access->write && !gaps ? VM_STORAGE_WRITE : VM_STORAGE_READ, file, first, end - first);
}

/* Writes the piece that has been read. Returns false if there is none. */
static bool put_piece(Access *access)
{
    if (!access->put_bytes)
        return false;
    store(access, VM_STORAGE_WRITE, access->file->shared->storage, access->put_offset, access->put_bytes);
    access->put_bytes = 0;
    return true;
}

/* -- single accesses --------------------------------------------------------------------------- */

static void next_run(Access *access)
{
    access->has_run = mpi_view_next(&access->walk, &access->run_offset, &access->run_bytes);
}

/* Whether a rank reads or writes pieces with their gaps: if it is told so or, left to itself, if runs are short. */
static bool sieves(const Access *access)
{
    enum { SHORT_RUN = 65536 };
    MpiFileWay way = access->file->hints.sieving[access->write];
    return way == MPI_FILE_ENABLE || (way == MPI_FILE_AUTOMATIC && access->run_bytes < SHORT_RUN);
}

/* Starts the next piece. Returns false at the end. */
static bool direct_next(Access *access)
{
    if (put_piece(access))
        return true;
    if (!access->has_run)
        return false;
    uint64_t first = access->run_offset, end = first + access->run_bytes,
             most = access->file->hints.sieve_bytes[access->write];
    bool gaps = false, sieving = access->walk.left && sieves(access);
    next_run(access);
    while (sieving && access->has_run && access->run_offset >= end &&
           access->run_offset + access->run_bytes - first <= most) {
        gaps |= access->run_offset > end;
        end = access->run_offset + access->run_bytes;
        next_run(access);
    }
    store_piece(access, first, end, gaps);
    return true;
}

/* -- collective accesses ----------------------------------------------------------------------- */

/* Runs a schedule on the agent. Returns true if it is over at once. */
static bool run_schedule(Access *access, MpiCollective collective, const MpiPlan *plan)
{
    MpiCall *agent = &access->agent;
    MpiSchedule *schedule = mpi_schedule_new(agent, access->comm, collective, plan);
    schedule->sequence = access->sequence;
    schedule->turn = access->turn;
    schedule->head.agent = agent;
    return mpi_schedule_advance(agent);
}

static void end_schedule(Access *access)
{
    MpiCall *agent = &access->agent;
    if (!agent->collective.schedule)
        return;
    mpi_tell_collective_ended(agent->world, agent, agent->collective.schedule, NULL);
    mpi_schedule_free(agent->world, agent->collective.schedule);
    agent->collective.schedule = NULL;
}

static bool agree(Access *access)
{
    MpiPlan plan = {.bytes = SAID_BYTES, .own_bytes = SAID_BYTES, .phantom = true};
    return run_schedule(access, MPI_COLLECTIVE_ALLGATHER, &plan);
}

static const MpiTwoPhase *plan_of(const Access *access)
{
    return access->meeting->plan;
}

/* Returns the cell of an aggregator in the present round, or NULL. */
static const MpiCell *own_cell(const Access *access)
{
    const MpiTwoPhase *plan = plan_of(access);
    for (uint32_t a = 0; a < plan->aggregators; a++)
        if (plan->ranks[a] == access->comm->rank)
            return &plan->cells[(uint64_t)access->round * plan->aggregators + a];
    return NULL;
}

/* Adds a message of the exchange. */
static void add_message(Access *access, GArray *peers, GArray *sizes, uint32_t peer, uint64_t bytes)
{
    int rank = (int)peer;
    (void)access;
    g_array_append_val(peers, rank);
    g_array_append_val(sizes, bytes);
}

static uint64_t append_places(GArray *places, const GArray *sizes, guint from)
{
    uint64_t at = 0;
    for (guint i = from; i < sizes->len; i++) {
        g_array_append_val(places, at);
        at += g_array_index(sizes, uint64_t, i);
    }
    return at;
}

/* Exchanges the data of a round between members and aggregators. A piece that stays with its rank is copied. */
static bool exchange(Access *access)
{
    const MpiTwoPhase *two = plan_of(access);
    const MpiCell *cell = own_cell(access);
    uint32_t me = access->comm->rank, end = two->own[me + 1];
    uint64_t copied = 0, copy_fs = access->agent.world->params.copy_byte_fs;
    end_schedule(access);
    g_array_set_size(access->peers, 0);
    g_array_set_size(access->sizes, 0);
    g_array_set_size(access->places, 0);
    for (; access->own < end; access->own++) { /* this member's pieces */
        const MpiCellShare *share = &two->shares[two->own_shares[access->own]];
        uint32_t aggregator = two->ranks[share->cell % two->aggregators];
        if (share->cell / two->aggregators != access->round)
            break;
        if (aggregator == me)
            copied += share->bytes;
        else
            add_message(access, access->peers, access->sizes, aggregator, share->bytes);
    }
    guint n_own = access->peers->len;
    for (uint32_t i = 0; cell && i < cell->shares; i++) { /* an aggregator's pieces */
        const MpiCellShare *share = &two->shares[cell->share + i];
        copied += share->rank == me ? 0 : share->bytes;
        if (share->rank != me)
            add_message(access, access->peers, access->sizes, share->rank, share->bytes);
    }
    guint n_all = access->peers->len;
    mpi_call_charge(&access->agent, mpi_call_bytes_ps(copied, copy_fs));
    if (!n_all)
        return true;
    uint64_t own_bytes = 0, others_bytes = 0;
    for (guint i = 0; i < n_own; i++) {
        g_array_append_val(access->places, own_bytes);
        own_bytes += g_array_index(access->sizes, uint64_t, i);
    }
    others_bytes = append_places(access->places, access->sizes, n_own);
    const int *peers = (const int *)(void *)access->peers->data;
    const uint64_t *sizes = (const uint64_t *)(void *)access->sizes->data,
                   *places = (const uint64_t *)(void *)access->places->data;
    bool out = access->write; /* members send in a write, and receive in a read */
    guint sent = out ? 0 : n_own, received = out ? n_own : 0;
    MpiPlan plan = {.phantom = true,
                    .destinations = peers + sent,
                    .n_destinations = out ? n_own : n_all - n_own,
                    .send_bytes = sizes + sent,
                    .send_offsets = places + sent,
                    .input_bytes = out ? own_bytes : others_bytes,
                    .sources = peers + received,
                    .n_sources = out ? n_all - n_own : n_own,
                    .recv_bytes = sizes + received,
                    .recv_offsets = places + received,
                    .result_bytes = out ? others_bytes : own_bytes};
    return run_schedule(access, MPI_COLLECTIVE_NEIGHBOR_ALLTOALL, &plan);
}

/* Accesses an aggregator's piece of the file. Returns true if there is none. */
static bool store_cell(Access *access)
{
    const MpiCell *cell = own_cell(access);
    if (!cell || !cell->shares)
        return true;
    store_piece(access, cell->first, cell->end, cell->covered < cell->end - cell->first);
    return false;
}

/* Makes the plan, if this member is the first that goes on. */
static void make_plan(Access *access)
{
    MpiMeeting *meeting = access->meeting;
    if (!meeting->plan)
        meeting->plan = mpi_two_phase_new(access->file, meeting, access->write);
    access->own = meeting->plan->used ? meeting->plan->own[access->comm->rank] : 0;
}

/* -- going on ---------------------------------------------------------------------------------- */

/* Does one phase. Returns false if it must wait for an event. */
static bool step(Access *access)
{
    switch (access->phase) {
    case PHASE_BEGIN: access->phase = access->meeting ? PHASE_AGREE : PHASE_DIRECT; return access->storing == 0;
    case PHASE_AGREE: access->phase = PHASE_PLAN; return agree(access);
    case PHASE_PLAN:
        end_schedule(access);
        if (!access->agent.world->env.storage) {
            access->phase = PHASE_END;
            return true;
        }
        make_plan(access);
        access->phase = !plan_of(access)->used ? PHASE_DIRECT : access->write ? PHASE_EXCHANGE : PHASE_STORE;
        if (!plan_of(access)->used)
            leave_meeting(access);
        return true;
    case PHASE_EXCHANGE: access->phase = access->write ? PHASE_STORE : PHASE_ROUND; return exchange(access);
    case PHASE_STORE: access->phase = access->write ? PHASE_ROUND : PHASE_EXCHANGE; return store_cell(access);
    case PHASE_ROUND:
        if (put_piece(access))
            return false;
        end_schedule(access);
        access->phase = ++access->round == plan_of(access)->rounds ? PHASE_END
                        : access->write                            ? PHASE_EXCHANGE
                                                                   : PHASE_STORE;
        return true;
    case PHASE_DIRECT:
        if (direct_next(access))
            return false;
        access->phase = PHASE_END;
        return true;
    case PHASE_END: break;
    }
    return false;
}

static MpiStep go(MpiCall *agent)
{
    Access *access = access_of(agent);
    if (access->finished) {
        complete(access);
        return MPI_STEP_DONE;
    }
    if (access->storing)
        return MPI_STEP_BLOCK;
    while (access->phase != PHASE_END)
        if (!step(access))
            return MPI_STEP_BLOCK;
    end_schedule(access);
    leave_meeting(access);
    ask_for_end(access);
    return MPI_STEP_BLOCK;
}

/* -- failures ---------------------------------------------------------------------------------- */

/* Ends a collective access. What it has done to the file stays. */
static void fail(Access *access, uint64_t time_ps)
{
    if (access->agent.collective.schedule)
        mpi_schedule_fail(access->agent.collective.schedule, MPI_ERR_PROC_FAILED);
    end_schedule(access);
    leave_meeting(access);
    access->error = MPI_ERR_PROC_FAILED;
    access->phase = PHASE_END;
    mpi_call_advance(&access->agent, time_ps);
    if (!access->storing)
        ask_for_end(access);
}

void mpi_file_process_failed(MpiRank *rank, uint32_t failed, uint64_t time_ps)
{
    for (MpiRequest *request = rank->requests, *next; request; request = next) {
        next = request->next;
        if (request->sort != MPI_REQUEST_AGENT || !mpi_request_pending(request))
            continue;
        Access *access = access_of(request->agent);
        if (access->collective && !access->finished && mpi_group_find(access->comm->group, failed) >= 0)
            fail(access, time_ps);
    }
}

/* -- starting ---------------------------------------------------------------------------------- */

static Access *access_new(MpiCall *call, MpiComm *comm, bool collective)
{
    Access *access = g_new0(Access, 1);
    MpiCall *agent = &access->agent;
    MpiBuffer none = {0};
    mpi_call_begin_agent(call, agent);
    agent->now = call->now;
    agent->step = go;
    agent->state = access;
    agent->state_free = access_free;
    access->comm = comm;
    access->request = mpi_request_new(call, MPI_REQUEST_AGENT, MPI_MODE_STANDARD, &none, comm, 0, 0, collective);
    access->request->agent = agent;
    access->request->active = true;
    access->request->status = mpi_status_empty();
    if (collective) {
        access->sequence = comm->collective_sequence;
        access->turn = mpi_comm_take_turn(call, comm);
    }
    return access;
}

MpiRequest *mpi_timing_start(MpiCall *call, MpiFile *file, unsigned form, uint64_t position, uint64_t bytes,
                             MpiMeeting *meeting)
{
    Access *access = access_new(call, file->comm, meeting);
    MpiRequest *request = access->request;
    access->file = mpi_file_ref(file);
    access->meeting = meeting;
    access->collective = meeting;
    access->write = form & MPI_ACCESS_WRITE;
    if (!meeting && !call->world->env.storage) {
        mpi_request_complete(request, MPI_SUCCESS);
        return request;
    }
    access->view = mpi_view_ref(file->view);
    mpi_view_walk(&access->walk, access->view, position, bytes);
    next_run(access);
    if (meeting) {
        access->peers = g_array_new(FALSE, FALSE, sizeof(int));
        access->sizes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        access->places = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    if (form & MPI_ACCESS_SHARED)
        store(access, VM_STORAGE_NAME, file->shared->storage, 0, POINTER_BYTES);
    go(&access->agent);
    return request;
}

MpiStep mpi_timing_wait(MpiCall *call, MpiRequest *request, MpiHandler then)
{
    call->room[0] = (uint64_t)(uintptr_t)request;
    return request ? mpi_call_wait(call, &request, 1, then) : then(call);
}

void mpi_timing_end(MpiCall *call)
{
    MpiRequest *request = (MpiRequest *)(uintptr_t)call->room[0];
    if (request)
        mpi_request_release(request);
    call->room[0] = 0;
}

MpiStep mpi_timing_one(MpiCall *call, MpiComm *comm, uint32_t storage, VmStorageSort sort, MpiHandler then)
{
    if (!call->world->env.storage)
        return mpi_timing_wait(call, NULL, then);
    Access *access = access_new(call, comm, false);
    store(access, sort, storage, 0, 0);
    return mpi_timing_wait(call, access->request, then);
}
