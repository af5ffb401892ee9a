/* plain_send.c - the short way of a plain message: an MPI_Send that needs no answer from the receiver.
 *
 * Most messages of most programs are alike: some items of a predefined type, short enough to be sent at once, by a rank
 * that has nothing else to handle. A few tests recognise them, and then the call needs no MpiCall and no request. All
 * other messages go the general way, which starts anew: a failed test has changed nothing. Both ways charge the same,
 * in sums of integers, so times do not depend on the way. If there is a listener at a point of hooks.def that this way
 * does not pass, all messages go the general way.
 *
 * Often such a call is the next event of all, as seen while the rank still runs. Then its effect takes place at once,
 * and the rank does not leave the VM (unless the program has set the rounding direction, which is then that of the
 * host).
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/plain_buffer.h"
#include "mpi/type/type.h"

#include <string.h>

typedef struct Plain { /* the arguments of a plain MPI_Send */
    MpiComm *comm;
    const void *data; /* host address of the program's buffer */
    uint64_t bytes;
    int peer, tag;
} Plain;

/* Parses the arguments of MPI_Send: buffer, count, type, destination, tag, communicator. */
static inline bool parse_send(MpiRank *rank, const uint64_t *args, Plain *plain)
{
    int64_t bytes = mpi_buffer_plain_bytes(args[1], args[2]);
    plain->comm = mpi_rank_lookup_comm(rank, args[5]);
    plain->peer = (int)args[3];
    plain->tag = (int)args[4];
    plain->bytes = (uint64_t)bytes;
    if (!plain->comm || bytes <= 0 || plain->bytes > rank->world->params.eager_limit || plain->peer < 0 ||
        plain->tag < 0 || (uint32_t)plain->peer >= mpi_comm_peers(plain->comm)->size)
        return false;
    plain->data = vm_rank_read(rank->process, args[0], plain->bytes);
    return plain->data;
}

/* Returns the processor time of sending so many bytes. */
static inline uint64_t overhead_of(const MpiParams *params, uint64_t bytes)
{
    return params->call_overhead_ps + mpi_call_bytes_ps(bytes, params->copy_byte_fs) +
           mpi_transfer_overhead_ps(&params->send_overhead, bytes);
}

/* Sends the message by a call at `pc` that lasts from now_ps to end_ps. */
static inline void send(MpiRank *rank, const Plain *plain, MpiHandle type, uint64_t now_ps, uint64_t end_ps,
                        uint32_t pc)
{
    MpiWorld *world = rank->world;
    const MpiParams *params = &world->params;
    MpiMessage *message = mpi_transfer_message_new(rank, plain->comm, plain->peer, plain->tag, false, plain->bytes, pc);
    message->primitive = (uint8_t)type;
    message->data = plain->bytes <= MPI_INLINE_BYTES ? message->bytes_inline
                                                     : mpi_pool_payload_take(&world->payloads, plain->bytes);
    mpi_buffer_plain_copy(message->data, plain->data, plain->bytes);
    uint64_t overhead_ps = end_ps - now_ps;
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, overhead_ps);
    rank->idle_polls = 0;
    message->sent_ps = end_ps;
    message->refs++;
    world->env.transmit(world->env.user, message->from, message->to, params->envelope_bytes + plain->bytes, end_ps,
                        (uint64_t)(uintptr_t)message | MPI_PHASE_EAGER | MPI_COOKIE_UNREPORTED);
    vm_clock_set(vm_rank_clock(rank->process), end_ps);
}

static inline bool is_plain(MpiRank *rank, const uint64_t *args, Plain *plain)
{
    return mpi_hooks_leave_short_send(rank->world) && rank->state == MPI_RANK_ACTIVE && !rank->inbox &&
           !vm_rank_is_watched(rank->process) && parse_send(rank, args, plain);
}

bool mpi_plain_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps)
{
    Plain plain;
    if (!is_plain(rank, request->args, &plain))
        return false;
    uint64_t end_ps = now_ps + overhead_of(&rank->world->params, plain.bytes);
    send(rank, &plain, request->args[2], now_ps, end_ps, mpi_place_of_call(rank->world, rank->process));
    vm_rank_complete(rank->process, MPI_SUCCESS);
    return true;
}

/* A rank that polls is left to the machine, which watches that. Calls from within the library are told by frames that
 * the VM may not have at hand now. */
bool mpi_plain_send_at_once(MpiRank *rank, uint64_t *args)
{
    const MpiEnv *env = &rank->world->env;
    uint64_t now_ps = vm_clock_now(vm_rank_clock(rank->process));
    Plain plain;
    if (!env->is_turn(env->user, rank->index, now_ps) || rank->idle_polls || vm_rank_keeps_fenv(rank->process) ||
        !is_plain(rank, args, &plain))
        return false;
    uint32_t pc = mpi_place_of_call(rank->world, rank->process);
    if (pc != vm_rank_pc(rank->process, 0))
        return false;
    uint64_t end_ps = now_ps + overhead_of(&rank->world->params, plain.bytes);
    env->take_turn(env->user, rank->index, now_ps, end_ps);
    send(rank, &plain, args[2], now_ps, end_ps, pc);
    args[0] = MPI_SUCCESS;
    return true;
}
