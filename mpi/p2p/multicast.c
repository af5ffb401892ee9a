/* multicast.c - one message to all other members of a communicator, in one transmission of the medium.
 *
 * Each receiver gets an MpiMessage of its own, which goes the way of an eager one (transfer.c). */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <assert.h>
#include <string.h>

/* The messages of one multicast share a payload. In front of it is the number of messages that still use it. That
 * field has a size that keeps the payload aligned. */
enum { SHARED_HEAD = 16 };

static uint8_t *shared_payload_new(uint64_t bytes, uint64_t messages)
{
    uint8_t *head = g_malloc(SHARED_HEAD + bytes);
    *(uint64_t *)(void *)head = messages;
    return head + SHARED_HEAD;
}

void mpi_multicast_payload_unref(const MpiMessage *message)
{
    if (message->data == message->bytes_inline)
        return;
    uint8_t *head = message->data - SHARED_HEAD;
    if (--*(uint64_t *)(void *)head == 0)
        g_free(head);
}

/* Makes the message of a multicast for one member of the communicator. `placed`: its receiver need not copy it. */
static MpiMessage *multicast_part(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, uint32_t to, int tag,
                                  uint8_t *data, bool placed)
{
    MpiMessage *message = mpi_transfer_message_new(call->rank, comm, (int)to, tag, true, buffer->count, call->pc);
    message->primitive = mpi_signature_byte(buffer);
    if (call->collective.schedule)
        message->damage = mpi_schedule_head(call->collective.schedule)->damage;
    mpi_tell_sent(call->world, call, message, buffer, NULL);
    message->multicast = true;
    message->rendezvous = placed;
    message->data = data ? data : message->bytes_inline;
    if (!data)
        memset(message->bytes_inline, 0, sizeof message->bytes_inline);
    if (!data)
        mpi_transfer_load(buffer, buffer->count, message->data);
    message->refs++;
    message->sent_ps = call->now;
    return message;
}

void mpi_multicast_send(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int tag, MpiRequest *request)
{
    const MpiEnv *env = &call->world->env;
    const MpiParams *params = &call->world->params;
    uint32_t size = comm->group->size, n = 0;
    g_autofree uint32_t *to = g_new(uint32_t, size);
    g_autofree uint64_t *cookies = g_new(uint64_t, size);
    bool apart = buffer->count > MPI_INLINE_BYTES && (buffer->process || buffer->host);
    uint8_t *data = apart ? shared_payload_new(buffer->count, size - 1) : NULL;
    if (data)
        mpi_transfer_load(buffer, buffer->count, data);
    uint64_t began_ps = call->now;
    mpi_call_charge(call, (request ? 0 : mpi_call_copying_ps(call, 0, buffer->count)) +
                              mpi_transfer_overhead_ps(&params->send_overhead, buffer->count));
    if (G_UNLIKELY(env->doorbell))
        mpi_progress_ring(call, mpi_comm_world_rank(comm, comm->rank == 0));
    MpiMessage *first = NULL;
    for (uint32_t i = 0; i < size; i++) {
        if (i == comm->rank)
            continue;
        MpiMessage *message = multicast_part(call, buffer, comm, i, tag, data, request);
        first = first ? first : message;
        mpi_tell_transmitted(call->world, call, message, MPI_PHASE_EAGER, began_ps);
        to[n] = message->to;
        cookies[n++] = (uint64_t)(uintptr_t)message | MPI_PHASE_EAGER | MPI_COOKIE_UNREPORTED;
    }
    assert(first); /* nobody sends to a communicator of one */
    mpi_count_as_one(call->rank, n, buffer->count);
    uint64_t cookie = (uint64_t)(uintptr_t)first | MPI_PHASE_EAGER | (request ? 0 : MPI_COOKIE_UNREPORTED);
    if (request) {
        mpi_request_begin(request);
        first->refs++;
        first->send = request;
        request->message = first;
    }
    env->multicast(env->user, call->rank->index, to, cookies, n, params->envelope_bytes + buffer->count, call->now,
                   cookie);
}
