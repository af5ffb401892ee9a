/* requests.c - the life of a request (MPI-3.1 sections 3.7 and 3.9). The calls that complete requests: completions.c.
 *
 *            Isend, Irecv                    completion                    Wait, Test
 *   (new) ----------------> active, pending -----------> active, complete ----------> gone
 *                              ^                                                       |
 *          Send_init: inactive +------------------- Start <----- inactive <------------+ (persistent ones)
 *
 * A null handle or an inactive request counts as complete with an empty status. Requests that the library itself keeps
 * (blocking calls, collectives, buffered copies) have no handle. A request that is freed while pending is freed
 * automatically when it is complete. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <assert.h>
#include <string.h>

/* -- life of a request ------------------------------------------------------------------------- */

MpiRequest *mpi_request_make(MpiRank *rank, const MpiMaker *maker, MpiRequestSort sort, MpiSendMode mode,
                             const MpiBuffer *buffer, MpiComm *comm, int peer, int tag)
{
    MpiRequest *request = mpi_pool_take(&rank->world->requests);
    request->owner = rank;
    request->sort = sort;
    request->mode = mode;
    request->buffer = *buffer;
    if (buffer->type && !buffer->type->predefined)
        mpi_type_ref(buffer->type);
    request->bytes = buffer->type ? buffer->count * buffer->type->size : buffer->count;
    request->comm = comm;
    comm->refs++;
    request->peer = peer;
    request->tag = tag;
    request->made_by = maker->name;
    request->made_pc = maker->pc;
    request->previous = rank->requests_last;
    if (rank->requests_last)
        rank->requests_last->next = request;
    else
        rank->requests = request;
    rank->requests_last = request;
    return request;
}

MpiRequest *mpi_request_new(MpiCall *call, MpiRequestSort sort, MpiSendMode mode, const MpiBuffer *buffer,
                            MpiComm *comm, int peer, int tag, bool collective)
{
    MpiMaker maker = {.name = call->name, .pc = call->pc, .function = call->function};
    MpiRequest *request = mpi_request_make(call->rank, &maker, sort, mode, buffer, comm, peer, tag);
    request->collective = collective;
    return request;
}

void mpi_request_begin(MpiRequest *request)
{
    assert(!request->active);
    request->active = true;
    request->claim = NULL;
    request->complete = request->cancelled = request->seen = false;
    request->error = MPI_SUCCESS;
    request->status.source = MPI_ANY_SOURCE_; /* sets an empty status, field by field */
    request->status.tag = MPI_ANY_TAG_;
    request->status.error = request->status.cancelled = 0;
    request->status.bytes = 0;
    if (request->persistent && request->sort == MPI_REQUEST_RECEIVE)
        g_clear_pointer(&request->reason, g_free);
    mpi_tell_begun(request->owner->world, request);
}

void mpi_request_start_claimed(MpiCall *call, MpiRequest *request, MpiMessage *message)
{
    mpi_request_begin(request);
    mpi_transfer_receive_claimed(call, request, message);
}

void mpi_request_start(MpiCall *call, MpiRequest *request)
{
    int refused;
    mpi_request_begin(request);
    if (request->peer != MPI_PROC_NULL_ && G_UNLIKELY(mpi_listens_refused(call->world)) &&
        (refused = mpi_ask_refused(call->world, call, request)) != MPI_SUCCESS) {
        mpi_request_complete(request, refused);
    } else if (request->peer == MPI_PROC_NULL_) {
        bool receives = request->sort == MPI_REQUEST_RECEIVE;
        *(receives ? &call->rank->null_receive : &call->rank->null_send) =
            (MpiNullPeer){true, request->tag, request->comm->context, call->pc};
        if (receives)
            request->status.source = MPI_PROC_NULL_;
        mpi_request_complete(request, MPI_SUCCESS);
    } else if (request->sort == MPI_REQUEST_RECEIVE) {
        mpi_transfer_receive(call, request);
    } else if (request->mode == MPI_MODE_BUFFERED) {
        mpi_buffered_start(call, request);
    } else {
        mpi_transfer_send(call, request);
    }
}

void mpi_request_dispose(MpiRequest *request)
{
    MpiRank *rank = request->owner;
    mpi_tell_gone(rank->world, request);
    if (request->previous)
        request->previous->next = request->next;
    else
        rank->requests = request->next;
    if (request->next)
        request->next->previous = request->previous;
    else
        rank->requests_last = request->previous;
    if (request->buffer.type && !request->buffer.type->predefined)
        mpi_type_unref(request->buffer.type);
    if (request->sort == MPI_REQUEST_COLLECTIVE && request->operation)
        rank->world->upper->operation_free(request->operation);
    if (request->sort == MPI_REQUEST_WHOLE && request->partitioned)
        mpi_partitioned_free(request->partitioned);
    if ((request->sort == MPI_REQUEST_AGENT || request->sort == MPI_REQUEST_ANCHOR) && request->agent)
        request->agent->state_free(request->agent->state);
    mpi_comm_unref(request->comm);
    if (request->packed)
        g_free(request->packed);
    mpi_pool_give(&rank->world->requests, request);
}

void mpi_request_release(MpiRequest *request)
{
    mpi_tell_released(request->owner->world, request);
    request->freed = true;
    request->waiter = NULL;
    request->schedule = NULL;
    if (!mpi_request_pending(request))
        mpi_request_dispose(request);
}

static void part_complete(MpiRequest *whole, MpiRequest *part)
{
    if (part->sort == MPI_REQUEST_RECEIVE)
        whole->status = part->status;
    if (part->error && !whole->error) {
        if (part->sort == MPI_REQUEST_RECEIVE && !whole->partitioned)
            whole->reason = g_steal_pointer(&part->reason);
        whole->error = part->error;
        whole->bytes = part->bytes;
        whole->arrived = part->arrived;
    }
    if (whole->partitioned)
        mpi_partitioned_complete(whole, part);
    if (--whole->parts == 0)
        mpi_request_complete(whole, whole->error);
}

MpiRequest *mpi_request_whole(MpiCall *call, MpiComm *comm, uint32_t parts)
{
    MpiBuffer none = {0};
    MpiRequest *request = mpi_request_new(call, MPI_REQUEST_WHOLE, MPI_MODE_STANDARD, &none, comm, 0, 0, false);
    request->active = true;
    request->parts = parts;
    request->status = mpi_status_empty();
    return request;
}

const MpiRequest *mpi_request_awaited(const MpiRequest *request)
{
    if (request->sort != MPI_REQUEST_WHOLE)
        return request;
    for (const MpiRequest *part = request->owner->requests; part; part = part->next)
        if (part->part && part->whole == request && mpi_request_pending(part))
            return part;
    return request;
}

void mpi_request_complete(MpiRequest *request, int error)
{
    assert(mpi_request_pending(request));
    request->complete = true;
    request->error = error;
    mpi_tell_completed(request->owner->world, request);
    if (request->waiter && request->waiter->engine.waiting > 0)
        request->waiter->engine.waiting--;
    request->waiter = NULL;
    if (request->schedule) {
        MpiScheduleHead *schedule = mpi_schedule_head(request->schedule);
        assert(schedule->open > 0);
        schedule->open--;
        if (error && !schedule->error)
            schedule->error = error;
    }
    if (request->attached)
        mpi_buffered_give(request);
    if (request->part)
        part_complete(request->whole, request);
    if (request->freed)
        mpi_request_dispose(request);
}

void mpi_request_fail(MpiRequest *request, int error)
{
    MpiWorld *world = request->owner->world;
    MpiMessage *message = request->message;
    if (request->sort == MPI_REQUEST_RECEIVE && request->posted) {
        mpi_match_withdraw(&request->owner->matcher, &world->bins, &request->item);
        request->posted = false;
    } else if (message && request->sort == MPI_REQUEST_RECEIVE) {
        message->receive = NULL; /* its data will be lost */
    } else if (message) {
        message->send = NULL;
    }
    request->message = NULL;
    request->status.error = error;
    mpi_request_complete(request, error);
}

MpiStep mpi_request_publish(MpiCall *call, MpiRequest *request, uint64_t address)
{
    if (request->sort == MPI_REQUEST_SEND && request->complete && request->error) { /* no room in the attached buffer */
        MpiStep step = mpi_call_request_error(call, request);
        mpi_request_release(request);
        return step;
    }
    mpi_tell_stored(call->world, call, request, address);
    request->handle = mpi_handle_register(call, MPI_KIND_REQUEST, request);
    if (request->active && request->sort <= MPI_REQUEST_RECEIVE)
        mpi_tell_used(call->world, call, request, &request->buffer, request->sort == MPI_REQUEST_RECEIVE, -1);
    mpi_store_handle(call, address, request->handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_request_buffer_error(MpiCall *call, MpiComm *comm, int error_class)
{
    return mpi_call_error(call, comm, error_class, "the buffer of the operation is no longer in the program's memory");
}

/* Raises the error of a request that has ended because of a failure or a revocation. */
static MpiStep raise_failure(MpiCall *call, const MpiRequest *request, int error_class)
{
    GString *comm = g_string_new(NULL);
    mpi_append_comm(comm, request->comm);
    g_autofree char *name = g_string_free(comm, FALSE);
    if (request->error == MPI_ERR_REVOKED)
        return mpi_call_error(call, request->comm, error_class,
                              "%s has been revoked; MPIX_Comm_shrink makes a communicator that can be used", name);
    if (request->error == MPI_ERR_PROC_FAILED_PENDING)
        return mpi_call_error(call, request->comm, error_class,
                              "a process of %s has failed, and the message might have been its own; "
                              "MPIX_Comm_failure_ack takes note of it",
                              name);
    if (request->sort == MPI_REQUEST_AGENT)
        return mpi_call_error(call, request->comm, error_class, "a process of the file's group has failed");
    if (request->sort == MPI_REQUEST_COLLECTIVE)
        return mpi_call_error(call, request->comm, error_class,
                              "a process of %s has failed; MPIX_Comm_shrink makes a communicator without it", name);
    return mpi_call_error(call, request->comm, error_class, "rank %d of %s has failed", request->peer, name);
}

MpiStep mpi_request_raise(MpiCall *call, const MpiRequest *request, int error_class)
{
    if (request->sort == MPI_REQUEST_REMOTE || request->sort == MPI_REQUEST_AGENT)
        call->raiser = mpi_error_raiser_of(request->owner, request->comm);
    if (request->sort == MPI_REQUEST_GENERAL)
        return mpi_call_error(call, request->comm, error_class,
                              "a function of the generalized request returned error %d", request->error);
    if (request->error >= MPI_ERR_PROC_FAILED && request->error <= MPI_ERR_REVOKED)
        return raise_failure(call, request, error_class);
    if (request->error == MPI_ERR_TRUNCATE && request->reason)
        return mpi_call_error(call, request->comm, error_class, "%s", request->reason);
    if (request->error == MPI_ERR_TRUNCATE)
        return mpi_call_error(call, request->comm, error_class,
                              "the message from rank %d with tag %d has %" G_GUINT64_FORMAT
                              " bytes, but the receive buffer only %" G_GUINT64_FORMAT
                              "; make the buffer larger or send less",
                              request->status.source, request->status.tag, request->arrived, request->bytes);
    if (request->error == MPI_ERR_TYPE)
        return mpi_call_error(call, request->comm, error_class,
                              "the message from rank %d with tag %d has %" G_GUINT64_FORMAT
                              " bytes, which end inside an element of the datatype that is received; receive what is "
                              "sent",
                              request->status.source, request->status.tag, request->arrived);
    if (request->sort == MPI_REQUEST_COLLECTIVE && request->error != MPI_ERR_BUFFER)
        return mpi_call_error(call, request->comm, error_class, "%s of the collective (%s)",
                              request->error == MPI_ERR_NO_MEM
                                  ? "no memory for the arguments of the operator's function"
                              : request->error == MPI_ERR_COUNT
                                  ? "a message is shorter than what was to come: the ranks do not agree on count or "
                                    "datatype"
                                  : "a message is longer than the place for it: the ranks "
                                    "do not agree on count or datatype",
                              request->made_by);
    uint64_t size, room = mpi_buffered_room(request->owner, request->comm, &size);
    if (request->sort == MPI_REQUEST_SEND && request->mode == MPI_MODE_BUFFERED)
        return mpi_call_error(call, request->comm, error_class,
                              "no room for a message of %" G_GUINT64_FORMAT
                              " bytes plus MPI_BSEND_OVERHEAD (%d): %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                              " bytes of the attached buffer are in use; attach a larger one",
                              request->bytes, MPI_BSEND_OVERHEAD_, size - room, size);
    if (request->sort == MPI_REQUEST_RECEIVE)
        return mpi_call_error(call, request->comm, error_class,
                              "the message from rank %d with tag %d has %" G_GUINT64_FORMAT
                              " bytes, which are not all in the program's writable memory at the buffer of %s; is the "
                              "array smaller than the count, or has it been freed?",
                              request->status.source, request->status.tag, request->arrived, request->made_by);
    return mpi_request_buffer_error(call, request->comm, error_class);
}

MpiStep mpi_call_request_error(MpiCall *call, const MpiRequest *request)
{
    return request->error ? mpi_request_raise(call, request, request->error) : MPI_STEP_DONE;
}
