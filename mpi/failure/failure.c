/* failure.c - what is known of failures, and the operations that end because of them (failure.h).
 *
 * A failed process does nothing any more: what arrives there is lost, what it has sent arrives. */
#include "mpi/failure/failure.h"
#include "mpi/collective/collective.h"
#include "mpi/core/hooks.h"
#include "mpi/core/slots.h"
#include "mpi/core/threads.h"
#include "mpi/file/file.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

/* -- what is known ----------------------------------------------------------------------------- */

bool mpi_failure_is_known(MpiWorld *world, uint32_t world_rank)
{
    return world->ranks[world_rank].failure_known;
}

bool mpi_failure_is_member(const MpiComm *comm, uint32_t world_rank)
{
    return mpi_group_find(comm->group, world_rank) >= 0 ||
           (comm->inter && mpi_group_find(comm->inter->remote, world_rank) >= 0);
}

/* Whether one of the failures from number `first` on is of a member. */
static bool concerns(const MpiWorld *world, const MpiComm *comm, uint32_t first)
{
    const MpiFailures *failures = mpi_world_slot(world, MPI_SLOT_FAILURES);
    for (guint i = first; failures && i < failures->known->len; i++)
        if (mpi_failure_is_member(comm, g_array_index(failures->known, uint32_t, i)))
            return true;
    return false;
}

bool mpi_failure_is_new(MpiWorld *world, const MpiComm *comm)
{
    return concerns(world, comm, comm->failures_acked);
}

MpiGroup *mpi_failures_group(MpiWorld *world, const MpiComm *comm, uint32_t n)
{
    const MpiFailures *failures = mpi_failures_of(world);
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < failures->known->len && i < n; i++) {
        uint32_t failed = g_array_index(failures->known, uint32_t, i);
        if (mpi_failure_is_member(comm, failed))
            g_array_append_val(members, failed);
    }
    uint32_t size = members->len;
    return size ? mpi_group_new(size, (uint32_t *)g_array_free(g_steal_pointer(&members), FALSE))
                : mpi_group_ref(mpi_group_empty());
}

/* -- operations that begin --------------------------------------------------------------------- */

/* Returns the error of an operation with this peer, or MPI_SUCCESS. `wildcard` is that of MPI_ANY_SOURCE. */
static int error_with(MpiWorld *world, const MpiComm *comm, int peer, int wildcard)
{
    if (comm->revoked)
        return MPI_ERR_REVOKED;
    if (peer == MPI_ANY_SOURCE_)
        return mpi_failure_is_new(world, comm) ? wildcard : MPI_SUCCESS;
    return peer >= 0 && mpi_failure_is_known(world, mpi_comm_world_rank(comm, (uint32_t)peer)) ? MPI_ERR_PROC_FAILED
                                                                                               : MPI_SUCCESS;
}

/* What a receive from any source gets when a process has failed that might have sent: a request of the program stays
 * pending, a blocking call ends. */
static int wildcard_error(const MpiRequest *request)
{
    return request->lasts ? MPI_ERR_PROC_FAILED_PENDING : MPI_ERR_PROC_FAILED;
}

/* Returns the error of a point-to-point operation that cannot come to its end, or MPI_SUCCESS. */
static int refused(MpiWorld *world, MpiCall *call, const MpiRequest *request)
{
    const MpiComm *comm = request->comm;
    if (request->collective)
        return MPI_SUCCESS; /* the collective has been looked at as a whole */
    MpiKey key = {.space = comm->context << 1, .source = request->peer, .tag = request->tag};
    if (!comm->revoked && request->sort == MPI_REQUEST_RECEIVE &&
        mpi_match_probe(&call->rank->matcher, &world->bins, key))
        return MPI_SUCCESS; /* its message has come already */
    return error_with(world, comm, request->peer, wildcard_error(request));
}

/* Whether the rank waits in a probe that has to look again. */
static bool probes_in_vain(const MpiRank *rank)
{
    const MpiComm *comm = rank->probing ? mpi_find_comm(rank, rank->probe_key.space >> 1) : NULL;
    return comm && error_with(rank->world, comm, rank->probe_key.source, MPI_ERR_PROC_FAILED);
}

/* A collective needs all members. Freeing a communicator does not. */
static bool share(MpiWorld *world, MpiCall *call, MpiComm *comm, const MpiShare *shared, MpiStep *step)
{
    (void)shared;
    if (call->function == MPI_FUNCTION_Comm_free)
        return true;
    if (comm->revoked) {
        *step = mpi_call_error(call, comm, MPI_ERR_REVOKED,
                               "the communicator has been revoked; MPIX_Comm_shrink makes one that can be used");
        return false;
    }
    if (!concerns(world, comm, 0))
        return true;
    *step = mpi_call_error(call, comm, MPI_ERR_PROC_FAILED,
                           "a process of the communicator has failed; MPIX_Comm_shrink makes one without it");
    return false;
}

/* -- operations that end ----------------------------------------------------------------------- */

/* What shall end, and how. */
typedef struct Ending {
    const uint32_t *context; /* everything on this communicator; or */
    uint32_t failed;         /* everything that needs this process, a world rank */
    int error;
} Ending;

static bool hits(const Ending *ending, const MpiComm *comm)
{
    return ending->context ? comm->context == *ending->context : mpi_failure_is_member(comm, ending->failed);
}

/* Returns the error that ends the point-to-point request, or MPI_SUCCESS. */
static int error_for(const Ending *ending, const MpiRequest *request)
{
    MpiWorld *world = request->owner->world;
    if (ending->context)
        return hits(ending, request->comm) ? ending->error : MPI_SUCCESS;
    if (request->message && request->sort == MPI_REQUEST_RECEIVE)
        return request->message->from == ending->failed ? ending->error : MPI_SUCCESS;
    if (request->peer == MPI_ANY_SOURCE_)
        return hits(ending, request->comm) && mpi_failure_is_new(world, request->comm) ? wildcard_error(request)
                                                                                       : MPI_SUCCESS;
    return request->peer >= 0 && mpi_comm_world_rank(request->comm, (uint32_t)request->peer) == ending->failed
               ? ending->error
               : MPI_SUCCESS;
}

static void end_in_background(MpiRequest *request, const Ending *ending, uint64_t time_ps)
{
    MpiSchedule *schedule = (MpiSchedule *)mpi_operation_schedule(request->operation);
    if (!schedule || schedule->finished || !hits(ending, schedule->comm))
        return;
    MpiCall *agent = schedule->head.agent;
    mpi_schedule_fail(schedule, ending->error);
    mpi_call_advance(agent, time_ps);
    request->owner->world->upper->operation_settle(agent);
}

/* Ends collectives and a probe of the thread that the rank's focus is on. Returns whether there were any. */
static bool end_of_thread(const MpiRank *rank, const Ending *ending, MpiCall *waiting)
{
    bool ended = false;
    for (MpiCall *call = rank->call; call; call = call->outer) {
        MpiSchedule *schedule = call->collective.schedule;
        if (!schedule || schedule->finished || !hits(ending, schedule->comm))
            continue;
        mpi_schedule_fail(schedule, ending->error);
        ended = true;
    }
    if (!waiting || !probes_in_vain(rank))
        return ended;
    waiting->rank->probing = false;
    return true;
}

/* Lets a waiting call go on if what it waited for has ended. */
static void let_go(MpiCall *call, uint64_t time_ps)
{
    mpi_call_touch_rank(call->rank);
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

/* Each thread of a rank with several has calls of its own. `ended`: requests have, for which any of them may wait. */
static void end_of_threads(MpiRank *rank, const Ending *ending, bool ended, uint64_t time_ps)
{
    for (uint32_t thread = 0; thread < mpi_threads_count(rank); thread++) {
        mpi_threads_focus(rank, thread);
        MpiCall *call = mpi_threads_blocked(rank, thread);
        bool own = end_of_thread(rank, ending, call);
        if (call && (own || (ended && call->engine.awaits && !call->engine.waiting)))
            let_go(call, time_ps);
    }
}

/* Ends what a living rank does, and lets its waiting calls go on. */
static void end_of_rank(MpiRank *rank, const Ending *ending, uint64_t time_ps)
{
    bool ended = false;
    mpi_loans_settle(rank);
    for (MpiRequest *request = rank->requests, *next; request; request = next) {
        next = request->next;
        if (!mpi_request_pending(request))
            continue;
        if (request->sort == MPI_REQUEST_COLLECTIVE) {
            end_in_background(request, ending, time_ps);
            continue;
        }
        bool message = request->sort == MPI_REQUEST_SEND || request->sort == MPI_REQUEST_RECEIVE;
        int error = message && !request->schedule && !request->collective ? error_for(ending, request) : MPI_SUCCESS;
        if (error) {
            mpi_request_fail(request, error);
            ended = true;
        }
    }
    if (G_UNLIKELY(rank->threads)) {
        end_of_threads(rank, ending, ended, time_ps);
        return;
    }
    MpiCall *call = mpi_call_receptive(rank);
    if ((end_of_thread(rank, ending, call) || ended) && call)
        let_go(call, time_ps);
}

void mpi_failure_end_all(MpiRank *rank, uint32_t context, int error, uint64_t time_ps)
{
    end_of_rank(rank, &(Ending){.context = &context, .error = error}, time_ps);
    if (rank->world->protocols)
        rank->world->upper->protocol_revoked(rank, context, time_ps);
}

/* -- what the world tells ---------------------------------------------------------------------- */

static void failures_free(void *data)
{
    MpiFailures *failures = data;
    g_array_unref(failures->known);
    mpi_agreements_free(failures);
    g_free(failures);
}

MpiFailures *mpi_failures_of(MpiWorld *world)
{
    static const MpiHooks hooks = {.refused = refused, .share = share, .finished = mpi_agreement_finished};
    MpiFailures *failures = mpi_world_slot(world, MPI_SLOT_FAILURES);
    if (failures)
        return failures;
    failures = g_new0(MpiFailures, 1);
    failures->known = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    mpi_agreements_init(failures);
    mpi_world_set_slot(world, MPI_SLOT_FAILURES, failures, failures_free);
    mpi_plain_receives_expand(world);
    mpi_hooks_add(world, &hooks);
    return failures;
}

void mpi_failure_happens(MpiWorld *world, uint32_t index)
{
    MpiRank *rank = mpi_world_rank(world, index);
    mpi_failures_of(world);
    mpi_loans_settle(rank);
    rank->failed = rank->exited = true;
}

/* Nobody expects that all members of the rank's communicators with the failed process make the same collectives. */
static void doubt(MpiRank *rank, uint32_t failed)
{
    if (rank->world_comm && mpi_failure_is_member(rank->world_comm, failed))
        mpi_comm_doubt_all(rank->world, rank->world_comm);
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        bool raises = entry->kind == MPI_KIND_WIN || entry->kind == MPI_KIND_FILE;
        const MpiRaiser *raiser = entry->object && raises ? entry->object : NULL;
        const MpiComm *comm = raiser                                          ? raiser->comm
                              : entry->object && entry->kind == MPI_KIND_COMM ? entry->object
                                                                              : NULL;
        if (comm && mpi_failure_is_member(comm, failed))
            mpi_comm_doubt_all(rank->world, comm);
    }
}

void mpi_failure_becomes_known(MpiWorld *world, uint32_t index, uint64_t time_ps)
{
    MpiFailures *failures = mpi_failures_of(world);
    g_array_append_val(failures->known, index);
    world->ranks[index].failure_known = true;
    world->failures++;
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (world->ranks[i].process)
            doubt(&world->ranks[i], index);
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        MpiRank *rank = &world->ranks[i];
        if (rank->exited)
            continue;
        end_of_rank(rank, &(Ending){.failed = index, .error = MPI_ERR_PROC_FAILED}, time_ps);
        mpi_rma_process_failed(rank, index, time_ps);
        mpi_file_process_failed(rank, index, time_ps);
    }
    if (world->protocols)
        world->upper->protocol_failed(world, index, time_ps);
    mpi_agreements_look(world, index, time_ps);
}
