/* waits.c - finds out what a blocked rank waits for, and for whom, from its call, its requests and the schedule of its
 * collective. */
#include "mpi/check/waits.h"
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

/* -- the state of a rank ----------------------------------------------------------------------- */

bool mpi_waits_gone(const MpiRank *rank)
{
    return rank->exited || rank->state == MPI_RANK_FINALIZED;
}

/* -- requests ---------------------------------------------------------------------------------- */

static bool is_awaited(const MpiRank *rank, const MpiRequest *request)
{
    const MpiCall *call = rank->call;
    return mpi_request_pending(request) &&
           (request->waiter == call || (call->collective.schedule && request->schedule == call->collective.schedule));
}

const MpiRequest *mpi_waits_first_request(const MpiRank *rank)
{
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        if (is_awaited(rank, request))
            return mpi_request_awaited(request);
    return NULL;
}

bool mpi_waits_for_partner(const MpiRequest *request)
{
    const MpiCall *call = request->owner->call;
    if (!request->collective || !call || request->comm->handle || request->schedule)
        return false;
    switch (call->function) {
    case MPI_FUNCTION_Init:
    case MPI_FUNCTION_Init_thread:
    case MPI_FUNCTION_Session_init:
    case MPI_FUNCTION_Comm_spawn:
    case MPI_FUNCTION_Comm_spawn_multiple:
    case MPI_FUNCTION_Comm_accept:
    case MPI_FUNCTION_Comm_connect:
    case MPI_FUNCTION_Intercomm_create_from_groups: return true;
    default: return false;
    }
}

static int64_t request_peer(const MpiRequest *request)
{
    if (request->peer < 0 && mpi_waits_for_partner(request))
        return MPI_NOBODY;
    if (request->sort == MPI_REQUEST_GENERAL || request->sort == MPI_REQUEST_AGENT ||
        request->sort == MPI_REQUEST_AGREEMENT)
        return MPI_NOBODY;
    if (request->sort == MPI_REQUEST_RECEIVE && request->message)
        return request->message->from;
    if (request->peer >= 0)
        return mpi_comm_world_rank(request->comm, (uint32_t)request->peer);
    const MpiGroup *group = mpi_comm_peers(request->comm); /* a receive from any source */
    if (request->comm->inter && group->size == 1)
        return mpi_group_world_rank(group, 0);
    if (group->size != 2)
        return MPI_NOBODY;
    uint32_t other = mpi_group_world_rank(group, 0);
    return other == request->owner->index ? mpi_group_world_rank(group, 1) : other;
}

/* -- collectives ------------------------------------------------------------------------------- */

const MpiSchedule *mpi_waits_schedule(const MpiRank *rank)
{
    if (rank->call->collective.schedule)
        return rank->call->collective.schedule;
    const MpiRequest *request = mpi_waits_first_request(rank);
    return request ? mpi_waits_schedule_of(request) : NULL;
}

const MpiSchedule *mpi_waits_schedule_of(const MpiRequest *request)
{
    if (request->sort == MPI_REQUEST_AGENT || request->sort == MPI_REQUEST_AGREEMENT)
        return request->agent->collective.schedule;
    return request->sort == MPI_REQUEST_COLLECTIVE ? mpi_operation_schedule(request->operation) : NULL;
}

const MpiRequest *mpi_waits_first_step(const MpiSchedule *schedule)
{
    for (uint32_t i = 0; i < schedule->n_requests; i++)
        if (schedule->requests[i] && mpi_request_pending(schedule->requests[i]))
            return schedule->requests[i];
    return NULL;
}

/* Whether the member has begun the collective with this number. */
static bool has_entered(const MpiRank *rank, const MpiSchedule *schedule)
{
    const MpiComm *comm = mpi_find_comm(rank, schedule->comm->context);
    return comm && comm->collective_sequence > schedule->sequence;
}

static void add_missing(const MpiRank *rank, const MpiSchedule *schedule, const MpiGroup *group, GArray *missing)
{
    for (uint32_t i = 0; i < group->size; i++) {
        uint32_t member = mpi_group_world_rank(group, i);
        if (!has_entered(mpi_world_rank(rank->world, member), schedule))
            g_array_append_val(missing, member);
    }
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void mpi_waits_roll_clear(MpiRoll *roll)
{
    g_clear_pointer(&roll->missing, g_array_unref);
    g_clear_pointer(&roll->text, g_free);
}

const GArray *mpi_waits_missing(const MpiRank *rank, const MpiSchedule *schedule, MpiRoll *roll)
{
    const MpiComm *comm = schedule->comm;
    MpiOccasion at = {comm->context, schedule->sequence};
    bool low = comm->inter && comm->inter->low;
    if (roll->called && mpi_turn_occasion_equal(&roll->at, &at) && roll->low == low)
        return roll->missing;
    mpi_waits_roll_clear(roll);
    *roll = (MpiRoll){.called = true, .low = low, .at = at, .missing = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    add_missing(rank, schedule, comm->group, roll->missing);
    if (comm->inter)
        add_missing(rank, schedule, comm->inter->remote, roll->missing);
    g_array_sort(roll->missing, compare_ranks);
    return roll->missing;
}

/* -- whom it waits for ------------------------------------------------------------------------- */

int64_t mpi_waits_for(const MpiRank *rank, MpiRoll *roll)
{
    const MpiSchedule *schedule = mpi_waits_schedule(rank);
    const GArray *missing = schedule ? mpi_waits_missing(rank, schedule, roll) : NULL;
    if (missing && missing->len)
        return g_array_index(missing, uint32_t, 0);
    if (rank->probing) {
        const MpiComm *comm = mpi_find_comm(rank, rank->probe_key.space >> 1);
        return comm && rank->probe_key.source >= 0
                   ? (int64_t)mpi_comm_world_rank(comm, (uint32_t)rank->probe_key.source)
                   : MPI_NOBODY;
    }
    if (mpi_window_is_awaited(rank->call))
        return mpi_window_awaited_rank(rank->call);
    const MpiRequest *request = schedule ? mpi_waits_first_step(schedule) : mpi_waits_first_request(rank);
    return request ? request_peer(request) : MPI_NOBODY;
}

/* -- wants ------------------------------------------------------------------------------------- */

static int64_t world_peer(const MpiComm *comm, int peer)
{
    return comm && peer >= 0 ? (int64_t)mpi_comm_world_rank(comm, (uint32_t)peer) : MPI_NOBODY;
}

MpiWant mpi_waits_want_of_request(const MpiRequest *request)
{
    const MpiRank *rank = request->owner;
    MpiWant want = {.rank = rank,
                    .context = request->comm->context,
                    .comm = request->comm,
                    .request = request,
                    .tag = request->tag,
                    .from = request->peer,
                    .peer = world_peer(request->comm, request->peer),
                    .name = request->made_by,
                    .pc = request->made_pc};
    if (request->part || request->sort == MPI_REQUEST_WHOLE)
        want.sort = MPI_WANT_PARTS;
    else if (request->sort == MPI_REQUEST_COLLECTIVE || request->sort == MPI_REQUEST_AGENT ||
             request->sort == MPI_REQUEST_AGREEMENT)
        want.sort = MPI_WANT_COLLECTIVE;
    else if (mpi_waits_for_partner(request))
        want.sort = MPI_WANT_PARTNER;
    else if (request->collective && rank->call && rank->call->function == MPI_FUNCTION_Intercomm_create)
        want.sort = MPI_WANT_LEADER;
    else
        want.sort = request->sort == MPI_REQUEST_SEND ? MPI_WANT_RECEIVER : MPI_WANT_MESSAGE;
    if (want.sort == MPI_WANT_COLLECTIVE)
        want.schedule = mpi_waits_schedule_of(request);
    if (want.sort == MPI_WANT_RECEIVER)
        want.from = (int)request->comm->rank;
    return want;
}

MpiWant mpi_waits_want_of_message(const MpiRank *sender, const MpiMessage *message)
{
    uint32_t context = message->item.key.space >> 1;
    return (MpiWant){.sort = MPI_WANT_RECEIVER,
                     .rank = sender,
                     .context = context,
                     .comm = mpi_find_comm(sender, context),
                     .tag = message->item.key.tag,
                     .from = message->item.key.source,
                     .peer = message->to,
                     .pc = message->sent_pc};
}

/* Returns the request to describe. A partitioned message is wanted as a whole; other requests are wanted part by
 * part. */
static const MpiRequest *wanted(const MpiRequest *request)
{
    return request->sort == MPI_REQUEST_WHOLE && request->partitioned ? request : mpi_request_awaited(request);
}

bool mpi_waits_want_of_rank(const MpiRank *rank, uint32_t i, MpiWant *want)
{
    const MpiCall *call = rank->call;
    if (call->collective.schedule || rank->probing) {
        const MpiComm *comm = call->collective.schedule ? call->collective.schedule->comm
                                                        : mpi_find_comm(rank, rank->probe_key.space >> 1);
        *want = (MpiWant){.sort = call->collective.schedule ? MPI_WANT_COLLECTIVE : MPI_WANT_MESSAGE,
                          .rank = rank,
                          .context = call->collective.schedule ? comm->context : rank->probe_key.space >> 1,
                          .comm = comm,
                          .peer = call->collective.schedule ? MPI_NOBODY : world_peer(comm, rank->probe_key.source),
                          .from = rank->probe_key.source,
                          .tag = rank->probe_key.tag,
                          .schedule = call->collective.schedule,
                          .name = call->name,
                          .pc = call->pc};
        return i == 0;
    }
    for (const MpiRequest *request = rank->requests; request; request = request->next) {
        if (!is_awaited(rank, request) || i--)
            continue;
        *want = mpi_waits_want_of_request(wanted(request));
        return true;
    }
    return false;
}
