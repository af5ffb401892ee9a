/* buffered.c - buffered sends and the buffers that the program attaches (MPI-4.1 sections 3.6 and 3.6.1).
 *
 * MPI_Bsend copies the message and is done. The copy is in the simulator; only the space in the attached buffer is
 * counted: packed bytes plus MPI_BSEND_OVERHEAD per message. A send takes this space, and gives it back when the last
 * byte of the copy has left the node. A message that does not fit is an error (section 3.6.1 demands no more than
 * that). MPI_BUFFER_AUTOMATIC is a buffer in which everything fits.
 *
 * A message goes through the buffer of its communicator, if that has one, else through that of the session that the
 * communicator comes from, else through that of the process. A flush
 * waits for the messages that are in the buffer when it begins: messages and flushes are numbered. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

/* Returns the buffer for messages on a communicator; NULL: none is attached. */
static MpiAttached *buffer_for(const MpiRank *rank, const MpiComm *comm)
{
    const MpiSessionBuffer *session = comm->group->session;
    return comm->attached ? comm->attached : session && session->attached ? session->attached : rank->attached;
}

uint64_t mpi_buffered_room(const MpiRank *rank, const MpiComm *comm, uint64_t *size)
{
    const MpiAttached *buffer = buffer_for(rank, comm);
    *size = buffer ? buffer->size : 0;
    return buffer ? buffer->size - buffer->used : 0;
}

/* Takes the space of a message for the request that carries it. Returns false if there is no room. */
static bool take(MpiRequest *carrier, MpiAttached *buffer)
{
    uint64_t need = carrier->bytes + MPI_BSEND_OVERHEAD_;
    if (!buffer->automatic && need > buffer->size - buffer->used)
        return false;
    buffer->used += need;
    carrier->attached = need;
    carrier->attached_to = buffer;
    carrier->attached_number = ++buffer->messages;
    return true;
}

void mpi_buffered_give(MpiRequest *carrier)
{
    MpiAttached *buffer = carrier->attached_to;
    g_assert(carrier->attached <= buffer->used);
    buffer->used -= carrier->attached;
    for (MpiRequest *request = carrier->owner->requests, *next; buffer->flushes && request; request = next) {
        next = request->next;
        bool waits = request->sort == MPI_REQUEST_WHOLE && request->attached_to == buffer &&
                     mpi_request_pending(request) && request->attached_number >= carrier->attached_number;
        if (!waits || --request->parts)
            continue;
        buffer->flushes--;
        mpi_request_complete(request, MPI_SUCCESS);
    }
}

void mpi_buffered_start(MpiCall *call, MpiRequest *request)
{
    MpiAttached *into = buffer_for(call->rank, request->comm);
    MpiBuffer buffer = {.type = request->buffer.type, .count = request->buffer.count};
    MpiRequest *carrier = into ? mpi_request_new(call, MPI_REQUEST_SEND, MPI_MODE_STANDARD, &buffer, request->comm,
                                                 request->peer, request->tag, request->collective)
                               : NULL;
    if (!carrier || !take(carrier, into)) {
        if (carrier)
            mpi_request_release(carrier);
        mpi_request_complete(request, MPI_ERR_BUFFER);
        return;
    }
    uint8_t *copy = g_malloc0(request->bytes + 1);
    bool loaded = mpi_transfer_load(&request->buffer, request->bytes, copy);
    mpi_call_charge(call, mpi_call_copying_ps(call, 0, request->bytes));
    carrier->buffer.host = copy;
    carrier->packed = copy;
    mpi_request_start(call, carrier);
    mpi_request_release(carrier);
    mpi_request_complete(request, loaded ? MPI_SUCCESS : MPI_ERR_BUFFER);
}

/* -- attaching --------------------------------------------------------------------------------- */

MpiStep mpi_buffered_attach(MpiCall *call, MpiComm *comm, unsigned arg, MpiAttached **to)
{
    bool automatic = call->args[arg] == MPI_BUFFER_AUTOMATIC_;
    int64_t size = automatic ? 0 : call->large ? (int64_t)call->args[arg + 1] : mpi_int(call, arg + 1);
    MpiStep step;
    if (*to)
        return mpi_call_error(call, comm, MPI_ERR_BUFFER,
                              "a buffer is attached already (%" G_GUINT64_FORMAT
                              " bytes); detach it before you attach another",
                              (*to)->size);
    if (size < 0)
        return mpi_call_error(call, comm, MPI_ERR_ARG, "the size of the buffer is negative (%" G_GINT64_FORMAT ")",
                              size);
    void *host;
    if (!automatic && !mpi_check_output(call, comm, arg, (uint64_t)size, &host, &step))
        return step;
    MpiAttached *buffer = g_new0(MpiAttached, 1);
    buffer->address = call->args[arg];
    buffer->size = (uint64_t)size;
    buffer->automatic = automatic;
    buffer->handle = mpi_handle_register(call, MPI_KIND_ATTACHED, buffer);
    *to = buffer;
    return MPI_STEP_DONE;
}

/* What a call that waits for a buffer keeps. */
typedef struct Wait {
    MpiAttached **from;
    unsigned arg; /* of the address of the buffer */
} Wait;

static MpiStep detach_done(MpiCall *call)
{
    const Wait *wait = call->state;
    MpiAttached *buffer = *wait->from;
    unsigned arg = wait->arg;
    g_assert(buffer->used == 0);
    *wait->from = NULL;
    mpi_handle_unregister(call->rank, buffer->handle);
    mpi_store_handle(call, call->args[arg], buffer->address);
    if (call->large)
        mpi_store_handle(call, call->args[arg + 1], buffer->size);
    else
        mpi_store_int(call, call->args[arg + 1], (int)buffer->size);
    g_free(buffer);
    return MPI_STEP_DONE;
}

static MpiStep flushed(MpiCall *call)
{
    (void)call;
    return MPI_STEP_DONE;
}

/* Waits until the messages that are in the buffer have left. */
static MpiStep wait_for(MpiCall *call, const MpiAttached *buffer, MpiHandler then)
{
    for (MpiRequest *request = call->rank->requests; request; request = request->next) {
        if (request->sort == MPI_REQUEST_WHOLE || request->attached_to != buffer || !mpi_request_pending(request))
            continue;
        request->waiter = call;
        call->engine.waiting++;
    }
    return call->engine.waiting ? mpi_call_block(call, then) : then(call);
}

/* It "blocks until all messages ... have been transmitted". */
MpiStep mpi_buffered_detach(MpiCall *call, MpiComm *comm, unsigned arg, MpiAttached **from)
{
    MpiStep step;
    void *host;
    if (!*from)
        return mpi_call_error(call, comm, MPI_ERR_BUFFER, "no buffer is attached; MPI_%sttach%s comes first",
                              comm ? "Comm_a" : "Buffer_a", comm ? "_buffer" : "");
    if (!mpi_check_output(call, comm, arg, 8, &host, &step) ||
        !mpi_check_output(call, comm, arg + 1, call->large ? 8 : 4, &host, &step))
        return step;
    Wait *wait = g_new0(Wait, 1);
    wait->from = from;
    wait->arg = arg;
    call->state = wait;
    return wait_for(call, *from, detach_done);
}

MpiStep mpi_buffered_flush(MpiCall *call, const MpiAttached *buffer)
{
    return buffer ? wait_for(call, buffer, flushed) : MPI_STEP_DONE;
}

MpiStep mpi_buffered_iflush(MpiCall *call, MpiComm *comm, unsigned arg, MpiAttached *buffer)
{
    MpiStep step;
    void *host;
    uint32_t n = 0;
    if (!mpi_check_output(call, comm, arg, sizeof(MpiHandle), &host, &step))
        return step;
    for (const MpiRequest *request = call->rank->requests; buffer && request; request = request->next)
        n += request->sort != MPI_REQUEST_WHOLE && request->attached_to == buffer && mpi_request_pending(request);
    MpiRequest *flush = mpi_request_whole(call, comm ? comm : mpi_rank_world_comm(call->rank), n);
    flush->attached_to = buffer;
    flush->attached_number = buffer ? buffer->messages : 0;
    if (n)
        buffer->flushes++;
    else
        mpi_request_complete(flush, MPI_SUCCESS);
    return mpi_request_publish(call, flush, call->args[arg]);
}

/* -- of the process ---------------------------------------------------------------------------- */

MPI_HANDLER(Buffer_attach, mpi_buffered_attach(call, NULL, 0, &call->rank->attached))
MPI_HANDLER(Buffer_detach, mpi_buffered_detach(call, NULL, 0, &call->rank->attached))
MPI_HANDLER(Buffer_flush, mpi_buffered_flush(call, call->rank->attached))
MPI_HANDLER(Buffer_iflush, mpi_buffered_iflush(call, NULL, 0, call->rank->attached))

/* -- of communicators -------------------------------------------------------------------------- */

MpiStep mpi_do_Comm_attach_buffer(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_buffered_attach(call, comm, 1, &comm->attached) : step;
}

MpiStep mpi_do_Comm_detach_buffer(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_buffered_detach(call, comm, 1, &comm->attached) : step;
}

MpiStep mpi_do_Comm_flush_buffer(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_buffered_flush(call, comm->attached) : step;
}

MpiStep mpi_do_Comm_iflush_buffer(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_buffered_iflush(call, comm, 1, comm->attached) : step;
}
