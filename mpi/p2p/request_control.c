/* request_control.c - operations on requests other than waiting: freeing, cancelling, starting (MPI-3.1 sections
 * 3.7.3, 3.8.4 and 3.9). */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

/* Returns the request whose handle is in the variable at `address`. */
static MpiRequest *request_argument(MpiCall *call, uint64_t address, MpiStep *step)
{
    MpiHandle handle = 0;
    const void *from = vm_rank_read(call->process, address, sizeof handle);
    if (from)
        memcpy(&handle, from, sizeof handle);
    MpiRequest *request = mpi_handle_lookup(call->rank, MPI_KIND_REQUEST, handle);
    if (request && !request->freed && !request->listed)
        return request;
    *step = mpi_call_error(call, NULL, MPI_ERR_REQUEST,
                           handle == MPI_HANDLE(MPI_KIND_REQUEST, 0) ? "the request is MPI_REQUEST_NULL"
                           : request && request->listed
                               ? "the request is being completed by the call that this function was called from"
                               : "the variable does not hold a request that is in use");
    return NULL;
}

MpiStep mpi_do_Request_free(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, 8, &step))
        return step;
    MpiRequest *request = request_argument(call, call->args[0], &step);
    if (!request)
        return step;
    bool partitioned = request->sort == MPI_REQUEST_WHOLE && request->partitioned;
    bool collective =
        request->sort == MPI_REQUEST_COLLECTIVE || (request->sort == MPI_REQUEST_AGENT && request->collective);
    if ((collective || partitioned) && request->active)
        return mpi_call_error(call, request->comm, MPI_ERR_REQUEST,
                              "the request of a %s operation (%s) cannot be freed while it is active; complete "
                              "it with MPI_Wait or its like",
                              partitioned ? "partitioned" : "collective", request->made_by);
    if (request->sort == MPI_REQUEST_GENERAL)
        return mpi_general_free(call, request);
    mpi_tell_given_up(call->world, call, request);
    mpi_handle_unregister(call->rank, request->handle);
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_REQUEST, 0));
    mpi_request_release(request);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Cancel(MpiCall *call)
{
    MpiStep step;
    MpiRequest *request = request_argument(call, call->args[0], &step);
    if (!request)
        return step;
    if (!request->active)
        return mpi_call_error(call, request->comm, MPI_ERR_REQUEST, "the persistent request has not been started");
    if (request->sort == MPI_REQUEST_COLLECTIVE || request->sort == MPI_REQUEST_WHOLE)
        return mpi_call_error(call, request->comm, MPI_ERR_REQUEST,
                              "this operation (%s) is more than one message and cannot be cancelled", request->made_by);
    if (request->sort == MPI_REQUEST_AGENT || request->sort == MPI_REQUEST_AGREEMENT)
        return MPI_STEP_DONE; /* it has begun, so it goes on */
    if (request->sort == MPI_REQUEST_GENERAL)
        return mpi_general_cancel(call, request);
    mpi_p2p_cancel(request);
    if (mpi_request_is_pending_still(request)) {
        request->error = MPI_SUCCESS;
        request->cancelled = true;
        request->status.cancelled = true;
    }
    return MPI_STEP_DONE;
}

static void start_message(MpiCall *call, MpiRequest *request)
{
    mpi_request_start(call, request);
    mpi_tell_used(call->world, call, request, &request->buffer, request->sort == MPI_REQUEST_RECEIVE, -1);
}

static MpiStep refuse_start(MpiCall *call, const MpiRequest *request)
{
    g_autoptr(GString) made = g_string_new(request->made_by);
    g_string_append(made, " at ");
    mpi_append_place(made, call->process, request->made_pc);
    return mpi_call_error(call, request->comm, MPI_ERR_REQUEST, "the request (%s) %s", made->str,
                          request->persistent
                              ? "is active already; wait for it before you start it again"
                              : "is not persistent: only what MPI_Send_init and its like make can be started");
}

static MpiStep start_one(MpiCall *call, uint64_t address)
{
    MpiStep step;
    MpiRequest *request = request_argument(call, address, &step);
    if (!request)
        return step;
    if (!request->persistent || request->active)
        return refuse_start(call, request);
    request->started = true;
    if (!mpi_ask_start(call->world, call, request, &step))
        return step;
    if (request->sort == MPI_REQUEST_COLLECTIVE)
        call->world->upper->operation_start(call, request);
    else if (request->sort == MPI_REQUEST_WHOLE)
        mpi_partitioned_start(call, request);
    else
        start_message(call, request);
    if (request->sort != MPI_REQUEST_SEND || !request->complete || !request->error)
        return MPI_STEP_DONE;
    request->active = false;
    return mpi_call_request_error(call, request);
}

MpiStep mpi_do_Start(MpiCall *call)
{
    return start_one(call, call->args[0]);
}

MpiStep mpi_do_Startall(MpiCall *call)
{
    int n = mpi_int(call, 0);
    if (n < 0)
        return mpi_call_error(call, NULL, MPI_ERR_COUNT, "the number of requests is negative (%d)", n);
    for (int i = 0; i < n; i++) {
        MpiStep step = start_one(call, call->args[1] + 8 * (uint64_t)i);
        if (step != MPI_STEP_DONE || call->result)
            return step;
    }
    return MPI_STEP_DONE;
}
