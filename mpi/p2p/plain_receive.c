/* plain_receive.c - the short way of a plain receive: an MPI_Recv whose message comes as a whole.
 *
 * Most receives of most programs are alike: some items of a predefined type, by a rank that has no other request. A few
 * tests recognise them. Then the call needs no MpiCall and no request: what is left of it while it waits is
 * rank->plain, and the message that it waits for ends it where it arrives. Both ways charge the same, in sums of
 * integers, so times do not depend on the way. The way is closed while a point of hooks.def that it does not pass has a
 * listener.
 *
 * A receive that has begun on this way can leave it at any moment. mpi_plain_receive_expand() then makes the MpiCall
 * and the request that it would have had from its beginning. That happens when its message turns out not to be plain (a
 * rendezvous, too long, of another type), and before anybody looks at calls and requests from outside.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/places.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/plain_buffer.h"
#include "mpi/type/type.h"

#include <assert.h>
#include <string.h>

/* Parses the arguments of MPI_Recv: buffer, count, type, source, tag, communicator, status. */
static inline bool parse_receive(MpiRank *rank, const uint64_t *args, MpiPlainReceive *plain)
{
    MpiComm *comm = mpi_rank_lookup_comm(rank, args[5]);
    int64_t bytes = mpi_buffer_plain_bytes(args[1], args[2]);
    int source = (int)args[3], tag = (int)args[4];
    bool wild = source == MPI_ANY_SOURCE_ || tag == MPI_ANY_TAG_;
    if (!comm || bytes < 0 || (wild && mpi_listens_wildcard(rank->world)) || (tag < 0 && tag != MPI_ANY_TAG_) ||
        ((uint32_t)source >= mpi_comm_peers(comm)->size && source != MPI_ANY_SOURCE_))
        return false;
    plain->key = (MpiKey){.space = comm->context << 1, .source = source, .tag = tag};
    plain->primitive = (uint8_t)args[2];
    plain->address = args[0];
    plain->bytes = (uint64_t)bytes;
    plain->status = args[6];
    return vm_rank_write(rank->process, plain->address, plain->bytes) &&
           (plain->status == MPI_STATUS_IGNORE_ || vm_rank_write(rank->process, plain->status, sizeof(MpiStatus)));
}

/* Whether the receive can take the message on this way. */
static inline bool is_plain(const MpiPlainReceive *plain, const MpiMessage *message)
{
    return message->phase == MPI_PHASE_EAGER && message->bytes <= plain->bytes &&
           message->primitive == plain->primitive;
}

/* Returns the processor time of taking the message. */
static inline uint64_t handling_ps(const MpiParams *params, const MpiMessage *message)
{
    return mpi_transfer_overhead_ps(&params->recv_overhead, message->bytes) + params->match_ps +
           mpi_call_bytes_ps(message->bytes, params->copy_byte_fs);
}

/* Takes the data of the message and ends the call at end_ps, after work_ps of processor time. */
static inline void finish(MpiRank *rank, const MpiPlainReceive *plain, const MpiMessage *message, uint64_t work_ps,
                          uint64_t end_ps)
{
    VmRank *process = rank->process;
    if (message->bytes)
        mpi_buffer_plain_copy(vm_rank_write(process, plain->address, message->bytes), message->data, message->bytes);
    if (plain->status != MPI_STATUS_IGNORE_) { /* MPI_ERROR stays as it is (MPI-3.1 section 3.2.5) */
        MpiStatus *status = vm_rank_write(process, plain->status, sizeof *status);
        memcpy(&status->source, &message->item.key.source, sizeof status->source);
        memcpy(&status->tag, &message->item.key.tag, sizeof status->tag);
        memset(&status->cancelled, 0, sizeof status->cancelled);
        memcpy(&status->bytes, &message->bytes, sizeof status->bytes);
    }
    mpi_count_overhead(rank, work_ps);
    mpi_count_received(rank, message->bytes);
    vm_clock_set(vm_rank_clock(process), end_ps);
    vm_rank_complete(process, MPI_SUCCESS);
}

bool mpi_plain_receive_end(MpiRank *rank, MpiMessage *message, uint64_t time_ps)
{
    MpiWorld *world = rank->world;
    MpiPlainReceive *plain = rank->plain;
    uint64_t from_ps = MAX(time_ps, plain->now), work_ps = handling_ps(&world->params, message);
    if (!is_plain(plain, message) || vm_rank_is_watched(rank->process) || !world->env.wake_alone ||
        !world->env.wake_alone(world->env.user, rank->index, from_ps + work_ps)) {
        mpi_plain_receive_expand(rank);
        return false;
    }
    mpi_count_blocked(rank, from_ps - plain->now);
    finish(rank, plain, message, work_ps, from_ps + work_ps);
    rank->plain = NULL;
    mpi_pool_give(&world->receives, plain);
    return true;
}

/* Looks for a message that has come before the receive. If there is none, the receive waits. */
static inline bool take_or_wait(MpiRank *rank, const MpiPlainReceive *plain, MpiOutcome *outcome)
{
    MpiWorld *world = rank->world;
    MpiItem *item = rank->matcher.n_unexpected ? mpi_match_probe(&rank->matcher, &world->bins, plain->key) : NULL;
    MpiMessage *message = (MpiMessage *)item;
    if (!message) {
        rank->plain = mpi_pool_take_unset(&world->receives);
        *rank->plain = *plain;
        *outcome = MPI_OUTCOME_BLOCKED;
        return true;
    }
    if (!is_plain(plain, message))
        return false;
    uint64_t work_ps = handling_ps(&world->params, message);
    mpi_match_remove(&rank->matcher, &world->bins, item);
    message->queued = false;
    finish(rank, plain, message, work_ps, plain->now + work_ps);
    mpi_transfer_drop(world, message);
    *outcome = MPI_OUTCOME_DONE;
    return true;
}

bool mpi_plain_receive(MpiRank *rank, const VmRequest *request, uint64_t now_ps, MpiOutcome *outcome)
{
    MpiWorld *world = rank->world;
    MpiPlainReceive plain;
    if (!mpi_hooks_leave_short_receive(world) || rank->state != MPI_RANK_ACTIVE || rank->inbox || rank->call ||
        rank->requests || mpi_match_is_ruled(&rank->matcher) || vm_rank_is_watched(rank->process) ||
        !parse_receive(rank, request->args, &plain))
        return false;
    plain.entered_ps = now_ps;
    plain.now = now_ps + world->params.call_overhead_ps;
    if (!take_or_wait(rank, &plain, outcome))
        return false;
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, world->params.call_overhead_ps);
    rank->idle_polls = 0;
    return true;
}

/* Lets the handler do what it would have done when the call was made. No message has come that it could find. */
void mpi_plain_receive_expand(MpiRank *rank)
{
    MpiWorld *world = rank->world;
    MpiPlainReceive *plain = rank->plain;
    const VmRequest *request = vm_rank_request(rank->process);
    const MpiBinding *binding = request->function->user;
    MpiCall *call = mpi_pool_take(&world->calls);
    mpi_call_init(call, rank, binding->function, request->args, request->n, plain->entered_ps,
                  mpi_place_of_call(world, rank->process));
    call->overhead_ps = plain->now - plain->entered_ps;
    call->now = plain->now;
    rank->call = call;
    rank->plain = NULL;
    mpi_pool_give(&world->receives, plain);
    MpiStep step = world->handlers[binding->function](call);
    g_assert(step == MPI_STEP_BLOCK);
}

void mpi_plain_receives_expand(MpiWorld *world)
{
    for (uint32_t i = 0; i < world->n_ranks; i++)
        if (world->ranks[i].plain)
            mpi_plain_receive_expand(&world->ranks[i]);
}

static void report(MpiWorld *world)
{
    mpi_plain_receives_expand(world);
}

const MpiPart mpi_part_plain_receives = {.report = report};
