/* plain_receive.c - the short way of a plain receive: an MPI_Recv whose message comes as a whole.
 *
 * Most receives of most programs are alike: some items of a predefined type, by a rank that has no other request. A few
 * tests recognise them. Then the call needs no MpiCall and no request: what is left of it while it waits is
 * rank->plain, and the message that it waits for ends it where it arrives. Both ways charge the same, in sums of
 * integers, so times do not depend on the way. The way is closed while a point of hooks.def that it does not pass has a
 * listener that needs to know more than posted_plainly and matched_plainly.
 *
 * A receive that has begun on this way can leave it at any moment. mpi_plain_receive_expand() then makes the MpiCall
 * and the request that it would have had from its beginning. That happens when its message turns out not to be plain (a
 * rendezvous, too long, of another type), and before anybody looks at calls and requests from outside.
 */
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/p2p/plain.h"

#include <assert.h>

/* Whether somebody has begun to watch the memory of the rank, or something may be said against its buffer now. */
static inline bool is_watched_since(MpiRank *rank, const MpiPlainReceive *plain)
{
    return G_UNLIKELY(vm_rank_is_watched(rank->process)) &&
           !mpi_buffer_is_sound(rank, plain->exchange ? MPI_PLAIN_EXCHANGE : MPI_PLAIN_RECEIVE, plain->address,
                                plain->bytes, true);
}

/* Tells that a call is over which has waited until from_ps and then worked. */
static void tell_waited(const MpiRank *rank, const MpiPlainReceive *plain, uint64_t from_ps, uint64_t work_ps)
{
    mpi_plain_tell_over(rank, plain->exchange ? MPI_FUNCTION_Sendrecv : MPI_FUNCTION_Recv,
                        mpi_place_of_call(rank->world, rank->process), vm_rank_request(rank->process)->args,
                        plain->entered_ps, from_ps + work_ps, plain->now - plain->entered_ps + work_ps);
}

bool mpi_plain_receive_end(MpiRank *rank, MpiMessage *message, uint64_t time_ps)
{
    MpiWorld *world = rank->world;
    MpiPlainReceive *plain = rank->plain;
    uint64_t from_ps = MAX(time_ps, plain->now), work_ps = mpi_plain_handling_ps(&world->params, message);
    if (!mpi_plain_takes(plain, message) || is_watched_since(rank, plain) || !world->env.wake_alone ||
        !world->env.wake_alone(world->env.user, rank->index, from_ps + work_ps)) {
        mpi_plain_receive_expand(rank);
        return false;
    }
    mpi_tell_matched_plainly(world, plain, message);
    mpi_count_blocked(rank, from_ps - plain->now);
    mpi_plain_take(rank, plain, message, work_ps);
    if (G_UNLIKELY(mpi_listens_over_plainly(world)))
        tell_waited(rank, plain, from_ps, work_ps);
    mpi_plain_end(rank, plain->status, message, from_ps + work_ps);
    rank->plain = NULL;
    mpi_pool_give(&world->receives, plain);
    return true;
}

/* Takes a message that has come before the receive. Returns false if that is not plain. */
static inline bool take(MpiRank *rank, MpiPlainReceive *plain, MpiMessage *message)
{
    MpiWorld *world = rank->world;
    if (!mpi_plain_takes(plain, message))
        return false;
    mpi_plain_tell_posted(rank, plain);
    mpi_tell_matched_plainly(world, plain, message);
    uint64_t work_ps = mpi_plain_handling_ps(&world->params, message);
    mpi_plain_dequeue(rank, message);
    mpi_plain_take(rank, plain, message, work_ps);
    mpi_plain_end(rank, plain->status, message, plain->now + work_ps);
    mpi_transfer_drop(world, message);
    return true;
}

bool mpi_plain_receive(MpiRank *rank, const VmRequest *request, uint64_t now_ps, MpiOutcome *outcome)
{
    const uint64_t *args = request->args;
    uint64_t call_ps = rank->world->params.call_overhead_ps;
    MpiPlainReceive plain = {.entered_ps = now_ps, .now = now_ps + call_ps};
    if (!mpi_plain_can_receive(rank) ||
        !mpi_plain_parse_receive(rank, args, MPI_PLAIN_RECEIVE, mpi_rank_lookup_comm(rank, args[5]),
                                 MPI_PLAIN_RECEIVE_STATUS, &plain))
        return false;
    MpiMessage *message = mpi_plain_find(rank, &plain);
    if (message && !take(rank, &plain, message))
        return false;
    if (message) {
        uint64_t end_ps = vm_clock_now(vm_rank_clock(rank->process));
        mpi_plain_tell_over(rank, MPI_FUNCTION_Recv, mpi_place_of_call(rank->world, rank->process), args, now_ps,
                            end_ps, end_ps - now_ps);
    } else {
        mpi_plain_tell_posted(rank, &plain);
        mpi_plain_wait(rank, &plain);
    }
    *outcome = message ? MPI_OUTCOME_DONE : MPI_OUTCOME_BLOCKED;
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, call_ps);
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
    call->expands = true;
    call->note = mpi_listens_posted_plainly(world) ? plain->note : NULL;
    rank->call = call;
    rank->plain = NULL;
    MpiStep step = plain->exchange ? mpi_p2p_await_exchange(call) : world->handlers[binding->function](call);
    g_assert(step == MPI_STEP_BLOCK);
    mpi_pool_give(&world->receives, plain);
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
