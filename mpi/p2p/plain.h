/* plain.h - what the short ways share: MPI_Send (plain_send.c), MPI_Recv (plain_receive.c), MPI_Sendrecv
 * (plain_exchange.c), MPI_Isend and MPI_Irecv (plain_start.c) of some items of a predefined type. Internal to p2p/. */
#ifndef ORRERY_MPI_PLAIN_H
#define ORRERY_MPI_PLAIN_H

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

/* Tells those who listen to calls that the one at pc is over. */
static inline void mpi_plain_tell_over(const MpiRank *rank, uint32_t function, uint32_t pc, const uint64_t *args,
                                       uint64_t from_ps, uint64_t to_ps, uint64_t overhead_ps)
{
    if (G_UNLIKELY(mpi_listens_over_plainly(rank->world)))
        mpi_hooks_tell_over_plainly(rank->world, &(MpiPlainCall){.rank = rank,
                                                                 .function = function,
                                                                 .pc = pc,
                                                                 .args = args,
                                                                 .from_ps = from_ps,
                                                                 .to_ps = to_ps,
                                                                 .overhead_ps = overhead_ps});
}

/* -- sends ------------------------------------------------------------------------------------- */

typedef struct MpiPlainSend { /* the arguments of a plain send */
    MpiComm *comm;
    const void *data; /* host address of the program's buffer */
    uint64_t bytes;
    int peer, tag;
} MpiPlainSend;

/* Parses the arguments of a send: buffer, count, type, destination, tag. Returns false if it is not plain. */
static inline bool mpi_plain_parse_send(MpiRank *rank, const uint64_t *args, MpiComm *comm, MpiPlainSend *plain)
{
    int64_t bytes = mpi_buffer_plain_bytes(args[1], args[2]);
    plain->comm = comm;
    plain->peer = (int)args[3];
    plain->tag = (int)args[4];
    plain->bytes = (uint64_t)bytes;
    if (!comm || bytes <= 0 || plain->bytes > rank->eager_limit || plain->peer < 0 || plain->tag < 0 ||
        (uint32_t)plain->peer >= mpi_comm_peers(comm)->size)
        return false;
    if (G_LIKELY(!vm_rank_is_watched(rank->process) && !rank->areas))
        plain->data = vm_rank_read(rank->process, args[0], plain->bytes);
    else if (mpi_buffer_is_sound(rank, 0, args[0], plain->bytes, false))
        plain->data = vm_rank_peek(rank->process, args[0], plain->bytes);
    else
        return false;
    return plain->data;
}

/* Returns the processor time of sending so many bytes, without that of the call. */
static inline uint64_t mpi_plain_send_ps(const MpiParams *params, uint64_t bytes)
{
    return mpi_call_bytes_ps(bytes, params->copy_byte_fs) + mpi_transfer_overhead_ps(&params->send_overhead, bytes);
}

/* Makes the message and hands it to the network at end_ps. The caller counts the call and its time. `exchange` is the
 * receive of an MPI_Sendrecv; NULL: the call is an MPI_Send. */
static inline void mpi_plain_transmit(MpiRank *rank, const MpiPlainSend *plain, MpiHandle type, uint64_t end_ps,
                                      uint32_t pc, MpiPlainReceive *exchange)
{
    MpiWorld *world = rank->world;
    MpiMessage *message = mpi_transfer_message_new(rank, plain->comm, plain->peer, plain->tag, false, plain->bytes, pc);
    message->primitive = (uint8_t)type;
    message->plain = true;
    mpi_tell_sent_plainly(world, rank, message, exchange);
    message->data = plain->bytes <= MPI_INLINE_BYTES ? message->bytes_inline
                                                     : mpi_pool_payload_take(&world->payloads, plain->bytes);
    mpi_buffer_plain_copy(message->data, plain->data, plain->bytes);
    message->sent_ps = end_ps;
    message->refs++;
    world->env.transmit(world->env.user, message->from, message->to, world->params.envelope_bytes + plain->bytes,
                        end_ps, (uint64_t)(uintptr_t)message | MPI_PHASE_EAGER | MPI_COOKIE_UNREPORTED);
}

/* -- receives ---------------------------------------------------------------------------------- */

/* Where the arguments of the receive begin in MPI_Recv and MPI_Sendrecv, and where their status is. */
enum { MPI_PLAIN_RECEIVE = 0, MPI_PLAIN_RECEIVE_STATUS = 6, MPI_PLAIN_EXCHANGE = 5, MPI_PLAIN_EXCHANGE_STATUS = 11 };

/* Parses the arguments of a receive: buffer, count, type, source, tag from `first` on. Returns false if it is not
 * plain. */
static inline bool mpi_plain_parse_endpoint(MpiRank *rank, const uint64_t *args, unsigned first, MpiComm *comm,
                                            MpiPlainReceive *plain)
{
    args += first;
    int64_t bytes = mpi_buffer_plain_bytes(args[1], args[2]);
    int source = (int)args[3], tag = (int)args[4];
    bool wild = source == MPI_ANY_SOURCE_ || tag == MPI_ANY_TAG_;
    if (!comm || bytes < 0 || (wild && (mpi_listens_wildcard(rank->world) || mpi_listens_posted(rank->world))) ||
        (tag < 0 && tag != MPI_ANY_TAG_) ||
        ((uint32_t)source >= mpi_comm_peers(comm)->size && source != MPI_ANY_SOURCE_))
        return false;
    plain->key = (MpiKey){.space = comm->context << 1, .source = source, .tag = tag};
    plain->primitive = (uint8_t)args[2];
    plain->address = args[0];
    plain->bytes = (uint64_t)bytes;
    return mpi_buffer_is_sound(rank, first, plain->address, plain->bytes, true);
}

/* The same with the status at argument `status`. */
static inline bool mpi_plain_parse_receive(MpiRank *rank, const uint64_t *args, unsigned first, MpiComm *comm,
                                           unsigned status, MpiPlainReceive *plain)
{
    plain->status = args[status];
    return mpi_plain_parse_endpoint(rank, args, first, comm, plain) &&
           (plain->status == MPI_STATUS_IGNORE_ ||
            mpi_buffer_is_sound(rank, status, plain->status, sizeof(MpiStatus), true));
}

/* Whether a receive of this rank can take the short way now. */
static inline bool mpi_plain_can_receive(const MpiRank *rank)
{
    return mpi_hooks_leave_short_receive(rank->world) && rank->state == MPI_RANK_ACTIVE && !rank->inbox &&
           !rank->call && !rank->requests && !rank->threads && !mpi_match_is_ruled(&rank->matcher);
}

/* Whether the receive can take the message on this way. */
static inline bool mpi_plain_takes(const MpiPlainReceive *plain, const MpiMessage *message)
{
    return message->phase == MPI_PHASE_EAGER && message->bytes <= plain->bytes &&
           message->primitive == plain->primitive;
}

/* Returns the processor time of taking the message. */
static inline uint64_t mpi_plain_handling_ps(const MpiParams *params, const MpiMessage *message)
{
    return mpi_transfer_overhead_ps(&params->recv_overhead, message->bytes) + params->match_ps +
           mpi_call_bytes_ps(message->bytes, params->copy_byte_fs);
}

/* Takes the data of the message, for work_ps of processor time. */
static inline void mpi_plain_take(MpiRank *rank, const MpiPlainReceive *plain, const MpiMessage *message,
                                  uint64_t work_ps)
{
    if (message->bytes)
        mpi_buffer_plain_copy(vm_rank_write(rank->process, plain->address, message->bytes), message->data,
                              message->bytes);
    mpi_count_overhead(rank, work_ps);
    mpi_count_received(rank, message->bytes);
}

/* Ends the call that has taken the message, at end_ps. */
static inline void mpi_plain_end(MpiRank *rank, uint64_t status_address, const MpiMessage *message, uint64_t end_ps)
{
    VmRank *process = rank->process;
    if (status_address != MPI_STATUS_IGNORE_) { /* MPI_ERROR stays as it is (MPI-3.1 section 3.2.5) */
        MpiStatus *status = vm_rank_write(process, status_address, sizeof *status);
        memcpy(&status->source, &message->item.key.source, sizeof status->source);
        memcpy(&status->tag, &message->item.key.tag, sizeof status->tag);
        memset(&status->cancelled, 0, sizeof status->cancelled);
        memcpy(&status->bytes, &message->bytes, sizeof status->bytes);
    }
    vm_clock_set(vm_rank_clock(process), end_ps);
    vm_rank_complete(process, MPI_SUCCESS);
}

/* Returns the message that the receive finds in the queue, or NULL. */
static inline MpiMessage *mpi_plain_find(MpiRank *rank, const MpiPlainReceive *plain)
{
    return rank->matcher.n_unexpected ? (MpiMessage *)mpi_match_probe(&rank->matcher, &rank->world->bins, plain->key)
                                      : NULL;
}

/* Takes a message that mpi_plain_find() has found out of the queue. */
static inline void mpi_plain_dequeue(MpiRank *rank, MpiMessage *message)
{
    mpi_match_remove(&rank->matcher, &rank->world->bins, &message->item);
    message->queued = false;
}

/* Tells those who listen to receives on their short way. */
static inline void mpi_plain_tell_posted(MpiRank *rank, MpiPlainReceive *plain)
{
    if (!mpi_listens_posted_plainly(rank->world))
        return;
    plain->rank = rank;
    plain->note = NULL;
    mpi_hooks_tell_posted_plainly(rank->world, rank, plain);
}

/* Lets the receive wait. */
static inline void mpi_plain_wait(MpiRank *rank, const MpiPlainReceive *plain)
{
    rank->plain = mpi_pool_take_unset(&rank->world->receives);
    *rank->plain = *plain;
}

#endif
