/* general_requests.c - generalized requests: operations of the program that programs wait for like MPI's own (MPI-3.1
 * section 12.2).
 *
 * A call that completes such a request first calls its query function for the status and then its free function, both
 * as upcalls. Then it treats it like any other request (requests.c). MPI_Request_free calls the free function at once
 * if the operation is complete. Otherwise it leaves that to MPI_Grequest_complete, for which the handle stays valid.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/stores.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- asking ------------------------------------------------------------------------------------ */

static MpiStep go_on(MpiCall *call)
{
    return call->p2p.asking->general->then(call);
}

static void note_error(MpiRequest *request, uint64_t answer)
{
    int error = (int)(int32_t)answer;
    if (error && !request->error)
        request->error = error;
}

static MpiStep free_returned(MpiCall *call)
{
    note_error(call->p2p.asking, call->upcall_result);
    return go_on(call);
}

static MpiStep call_free(MpiCall *call)
{
    MpiGeneral *general = call->p2p.asking->general;
    general->released = true;
    if (!general->free)
        return go_on(call);
    return mpi_call_upcall(call, general->free, &general->extra, 1, free_returned);
}

/* Reads the status that the query function has written. */
static MpiStep query_finish(MpiCall *call)
{
    MpiRequest *request = call->p2p.asking;
    MpiGeneral *general = request->general;
    const void *status = vm_rank_read(call->process, general->memory, sizeof request->status);
    if (status)
        memcpy(&request->status, status, sizeof request->status);
    vm_library_free(call->process, general->memory);
    general->memory = 0;
    general->queried = true;
    return general->released ? call_free(call) : go_on(call);
}

static MpiStep query_returned(MpiCall *call)
{
    note_error(call->p2p.asking, call->upcall_result);
    return query_finish(call);
}

MpiStep mpi_general_ask(MpiCall *call, MpiRequest *request, bool release, MpiHandler then)
{
    MpiGeneral *general = request->general;
    MpiStatus empty = mpi_status_empty();
    call->p2p.asking = request;
    general->then = then;
    general->released = release;
    general->memory = vm_library_malloc(call->process, sizeof empty);
    void *status = general->memory ? vm_rank_write(call->process, general->memory, sizeof empty) : NULL;
    if (!status) {
        vm_rank_fault(call->process, VM_FAULT_OUT_OF_MEMORY, 0,
                      "%s: the heap is full, so the query function of a generalized request cannot be called",
                      call->name);
        return MPI_STEP_FAULT;
    }
    memcpy(status, &empty, sizeof empty);
    if (!general->query)
        return query_finish(call);
    uint64_t args[] = {general->extra, general->memory};
    return mpi_call_upcall(call, general->query, args, G_N_ELEMENTS(args), query_returned);
}

/* -- cancelling, freeing ----------------------------------------------------------------------- */

static MpiStep answer(MpiCall *call)
{
    int error = (int)(int32_t)call->upcall_result;
    if (!error)
        return MPI_STEP_DONE;
    return mpi_call_error(call, NULL, error, "a function of the generalized request returned error %d", error);
}

MpiStep mpi_general_cancel(MpiCall *call, MpiRequest *request)
{
    const MpiGeneral *general = request->general;
    uint64_t args[] = {general->extra, request->complete};
    return general->cancel ? mpi_call_upcall(call, general->cancel, args, G_N_ELEMENTS(args), answer) : MPI_STEP_DONE;
}

/* Drops a complete request and calls its free function. */
static MpiStep dispose(MpiCall *call, MpiRequest *request)
{
    uint64_t function = request->general->free, extra = request->general->extra;
    mpi_handle_unregister(call->rank, request->handle);
    mpi_request_release(request);
    return function ? mpi_call_upcall(call, function, &extra, 1, answer) : MPI_STEP_DONE;
}

MpiStep mpi_general_free(MpiCall *call, MpiRequest *request)
{
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_REQUEST, 0));
    if (request->complete)
        return dispose(call, request);
    mpi_request_release(request);
    return MPI_STEP_DONE;
}

/* -- MPI_Grequest_start, MPI_Grequest_complete ------------------------------------------------- */

MpiStep mpi_do_Grequest_start(MpiCall *call)
{
    enum { QUERY, FREE, CANCEL, EXTRA, REQUEST };
    const MpiBuffer nothing = {0};
    MpiStep step;
    if (!mpi_check_result(call, REQUEST, sizeof(MpiHandle), &step))
        return step;
    MpiRequest *request = mpi_request_new(call, MPI_REQUEST_GENERAL, MPI_MODE_STANDARD, &nothing,
                                          mpi_rank_world_comm(call->rank), MPI_PROC_NULL_, 0, false);
    request->general = g_new0(MpiGeneral, 1);
    *request->general = (MpiGeneral){
        .query = call->args[QUERY], .free = call->args[FREE], .cancel = call->args[CANCEL], .extra = call->args[EXTRA]};
    request->active = true;
    request->status = mpi_status_empty();
    return mpi_request_publish(call, request, call->args[REQUEST]);
}

MpiStep mpi_do_Grequest_complete(MpiCall *call)
{
    MpiRequest *request = mpi_handle_lookup(call->rank, MPI_KIND_REQUEST, call->args[0]);
    if (!request || request->sort != MPI_REQUEST_GENERAL || request->complete)
        return mpi_call_error(call, NULL, MPI_ERR_REQUEST, "argument 1 is %s",
                              !request            ? "not a request that is in use"
                              : request->complete ? "a generalized request that is complete already"
                                                  : "not a generalized request; make one with MPI_Grequest_start");
    if (!request->freed) {
        mpi_request_complete(request, MPI_SUCCESS);
        return MPI_STEP_DONE;
    }
    request->complete = true; /* the program has freed the request, so no call waits for it */
    return dispose(call, request);
}
