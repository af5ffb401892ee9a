/* plain_exchange.c - the short way of a plain MPI_Sendrecv: one whose two messages are plain.
 *
 * It is a plain send and a plain receive in one call, with the tests of both. The receive looks for its message first;
 * then the message is sent. If the receive has to wait, it is one like that of an MPI_Recv (plain_receive.c), which has
 * already sent something. Where somebody wants to know of buffers that overlap, those that touch go the general way.
 */
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/p2p/plain.h"

/* Whether somebody may have something to say against the two buffers together. */
static inline bool may_meet(const MpiRank *rank, uint64_t sent, const MpiPlainSend *send,
                            const MpiPlainReceive *receive)
{
    return mpi_listens_apart(rank->world) && sent < receive->address + receive->bytes &&
           receive->address < sent + send->bytes;
}

bool mpi_plain_exchange(MpiRank *rank, const VmRequest *request, uint64_t now_ps, MpiOutcome *outcome)
{
    MpiWorld *world = rank->world;
    const uint64_t *args = request->args;
    MpiComm *comm = mpi_rank_lookup_comm(rank, args[10]);
    uint64_t call_ps = world->params.call_overhead_ps, work_ps = 0;
    MpiPlainReceive plain = {.entered_ps = now_ps, .now = now_ps + call_ps, .exchange = true};
    MpiPlainSend send;
    if (!mpi_hooks_leave_short_send(world) || !mpi_plain_can_receive(rank) ||
        !mpi_plain_parse_send(rank, args, comm, &send) ||
        !mpi_plain_parse_receive(rank, args, MPI_PLAIN_EXCHANGE, comm, MPI_PLAIN_EXCHANGE_STATUS, &plain) ||
        may_meet(rank, args[0], &send, &plain))
        return false;
    MpiMessage *message = mpi_plain_find(rank, &plain);
    if (message && !mpi_plain_takes(&plain, message))
        return false;
    mpi_plain_tell_posted(rank, &plain);
    if (message) {
        mpi_tell_matched_plainly(world, &plain, message);
        work_ps = mpi_plain_handling_ps(&world->params, message);
        mpi_plain_dequeue(rank, message);
        mpi_plain_take(rank, &plain, message, work_ps);
    }
    uint64_t send_ps = mpi_plain_send_ps(&world->params, send.bytes);
    plain.now += work_ps + send_ps;
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, call_ps + send_ps);
    rank->idle_polls = 0;
    uint32_t pc = mpi_place_of_call(world, rank->process);
    mpi_plain_transmit(rank, &send, args[2], plain.now, pc, &plain);
    *outcome = message ? MPI_OUTCOME_DONE : MPI_OUTCOME_BLOCKED;
    if (message) {
        mpi_plain_tell_over(rank, MPI_FUNCTION_Sendrecv, pc, args, now_ps, plain.now, plain.now - now_ps);
        mpi_plain_end(rank, plain.status, message, plain.now);
        mpi_transfer_drop(world, message);
    } else {
        mpi_plain_wait(rank, &plain);
    }
    return true;
}
