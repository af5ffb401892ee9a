/* plain_send.c - the short way of a plain message: an MPI_Send that needs no answer from the receiver.
 *
 * Most messages of most programs are alike: some items of a predefined type, short enough to be sent at once, by a rank
 * that has nothing else to handle. A few tests recognise them, and then the call needs no MpiCall and no request. All
 * other messages go the general way, which starts anew: a failed test has changed nothing. Both ways charge the same,
 * in sums of integers, so times do not depend on the way. If a listener at a point of hooks.def that this way does not
 * pass needs to know more than sent_plainly, all messages go the general way.
 *
 * Often such a call is the next event of all, as seen while the rank still runs. Then its effect takes place at once,
 * and the rank does not leave the VM (unless the program has set the rounding direction, which is then that of the
 * host).
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

/* Sends the message by a call at `pc` that lasts from now_ps to end_ps. */
static inline void send(MpiRank *rank, const MpiPlainSend *plain, const uint64_t *args, uint64_t now_ps,
                        uint64_t end_ps, uint32_t pc)
{
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, end_ps - now_ps);
    rank->idle_polls = 0;
    mpi_plain_transmit(rank, plain, args[2], end_ps, pc, NULL);
    mpi_plain_tell_over(rank, MPI_FUNCTION_Send, pc, args, now_ps, end_ps, end_ps - now_ps);
    vm_clock_set(vm_rank_clock(rank->process), end_ps);
}

static inline bool is_plain(MpiRank *rank, const uint64_t *args, MpiPlainSend *plain)
{
    return mpi_hooks_leave_short_send(rank->world) && rank->state == MPI_RANK_ACTIVE && !rank->inbox &&
           mpi_plain_parse_send(rank, args, mpi_rank_lookup_comm(rank, args[5]), plain);
}

static inline uint64_t end_of(const MpiRank *rank, uint64_t now_ps, uint64_t bytes)
{
    return now_ps + rank->world->params.call_overhead_ps + mpi_plain_send_ps(&rank->world->params, bytes);
}

bool mpi_plain_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps)
{
    MpiPlainSend plain;
    if (!is_plain(rank, request->args, &plain))
        return false;
    uint64_t end_ps = end_of(rank, now_ps, plain.bytes);
    send(rank, &plain, request->args, now_ps, end_ps, mpi_place_of_call(rank->world, rank->process));
    vm_rank_complete(rank->process, MPI_SUCCESS);
    return true;
}

/* A rank that polls is left to the machine, which watches that. Calls from within the library are told by frames that
 * the VM may not have at hand now. */
bool mpi_plain_send_at_once(MpiRank *rank, uint64_t *args)
{
    const MpiEnv *env = &rank->world->env;
    uint64_t now_ps = vm_clock_now(vm_rank_clock(rank->process));
    MpiPlainSend plain;
    if (!env->is_turn(env->user, rank->index, now_ps) || rank->idle_polls || vm_rank_keeps_fenv(rank->process) ||
        !is_plain(rank, args, &plain))
        return false;
    uint32_t pc = mpi_place_of_call(rank->world, rank->process);
    if (pc != vm_rank_pc(rank->process, 0))
        return false;
    uint64_t end_ps = end_of(rank, now_ps, plain.bytes);
    if (!env->take_turn(env->user, rank->index, now_ps, end_ps))
        return false;
    send(rank, &plain, args, now_ps, end_ps, pc);
    args[0] = MPI_SUCCESS;
    return true;
}
