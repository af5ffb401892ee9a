/* buffered.c - buffered sends and the buffer that the program attaches (MPI-3.1 section 3.6).
 *
 * MPI_Bsend copies the message and is done. The copy is in the simulator; only the space in the attached buffer is
 * counted: packed bytes plus MPI_BSEND_OVERHEAD per message. A send takes this space, and gives it back when the last
 * byte of the copy has left the node. A message that does not fit is an error (section 3.6.1 demands no more than
 * that). */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

bool mpi_buffered_take(MpiRank *rank, uint64_t bytes, uint64_t *taken)
{
    uint64_t need = bytes + MPI_BSEND_OVERHEAD_;
    if (need > rank->attached_size - rank->attached_used)
        return false;
    rank->attached_used += need;
    *taken = need;
    return true;
}

void mpi_buffered_give(MpiRank *rank, uint64_t taken)
{
    g_assert(taken <= rank->attached_used);
    rank->attached_used -= taken;
}

void mpi_buffered_start(MpiCall *call, MpiRequest *request)
{
    uint64_t taken;
    if (!mpi_buffered_take(call->rank, request->bytes, &taken)) {
        mpi_request_complete(request, MPI_ERR_BUFFER);
        return;
    }
    uint8_t *copy = g_malloc0(request->bytes + 1);
    bool loaded = mpi_transfer_load(&request->buffer, request->bytes, copy);
    mpi_call_charge(call, mpi_call_bytes_ps(request->bytes, call->world->params.copy_byte_fs));
    MpiBuffer buffer = {.host = copy, .type = request->buffer.type, .count = request->buffer.count};
    MpiRequest *carrier = mpi_request_new(call, MPI_REQUEST_SEND, MPI_MODE_STANDARD, &buffer, request->comm,
                                          request->peer, request->tag, request->collective);
    carrier->packed = copy;
    carrier->attached = taken;
    mpi_request_start(call, carrier);
    mpi_request_release(carrier);
    mpi_request_complete(request, loaded ? MPI_SUCCESS : MPI_ERR_BUFFER);
}

MpiStep mpi_do_Buffer_attach(MpiCall *call)
{
    MpiRank *rank = call->rank;
    int64_t size = call->large ? (int64_t)call->args[1] : mpi_int(call, 1);
    if (rank->attached_address)
        return mpi_call_error(call, NULL, MPI_ERR_BUFFER,
                              "a buffer is attached already (%" G_GUINT64_FORMAT
                              " bytes); call MPI_Buffer_detach before you attach another",
                              rank->attached_size);
    if (size < 0)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the size of the buffer is negative (%" G_GINT64_FORMAT ")",
                              size);
    MpiStep step;
    if (!mpi_check_result(call, 0, (uint64_t)size, &step))
        return step;
    rank->attached_address = call->args[0];
    rank->attached_size = (uint64_t)size;
    mpi_handle_register(call, MPI_KIND_ATTACHED, rank);
    return MPI_STEP_DONE;
}

static MpiStep detach_done(MpiCall *call)
{
    MpiRank *rank = call->rank;
    g_assert(rank->attached_used == 0);
    mpi_handle_unregister_kind(rank, MPI_KIND_ATTACHED);
    mpi_store_handle(call, call->args[0], rank->attached_address);
    if (call->large)
        mpi_store_handle(call, call->args[1], rank->attached_size);
    else
        mpi_store_int(call, call->args[1], (int)rank->attached_size);
    rank->attached_address = rank->attached_size = 0;
    return MPI_STEP_DONE;
}

/* Waits until all buffered messages have left: it "blocks until all messages ... have been transmitted". */
MpiStep mpi_do_Buffer_detach(MpiCall *call)
{
    MpiStep step;
    if (!call->rank->attached_address)
        return mpi_call_error(call, NULL, MPI_ERR_BUFFER, "no buffer is attached; MPI_Buffer_attach comes first");
    if (!mpi_check_result(call, 0, 8, &step) || !mpi_check_result(call, 1, call->large ? 8 : 4, &step))
        return step;
    for (MpiRequest *request = call->rank->requests; request; request = request->next) {
        if (!request->attached || !mpi_request_pending(request))
            continue;
        request->waiter = call;
        call->engine.waiting++;
    }
    return call->engine.waiting ? mpi_call_block(call, detach_done) : detach_done(call);
}
