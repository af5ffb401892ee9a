/* matched_probe.c - probes that take the message out of the queue, and receives of such messages (MPI-3.1 section 3.8.2
 * and 3.8.3).
 *
 * A message handle stands for a message and the communicator that it came on. No other receive can get that message any
 * more, and its sender cannot cancel it. Receiving it works like any receive that has found its message.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

#define NULL_MESSAGE    MPI_HANDLE(MPI_KIND_MESSAGE, 0)
#define NO_PROC_MESSAGE MPI_HANDLE(MPI_KIND_MESSAGE, 1)

void mpi_matched_free(MpiMatched *matched)
{
    mpi_comm_unref(matched->comm);
    g_free(matched);
}

/* -- probing ----------------------------------------------------------------------------------- */

static bool check_status(MpiCall *call, unsigned arg, MpiStep *step)
{
    return call->args[arg] == MPI_STATUS_IGNORE_ || mpi_check_result(call, arg, sizeof(MpiStatus), step);
}

/* Returns a handle for a message that has been found. NULL stands for the message of MPI_PROC_NULL. */
static MpiHandle claim(MpiCall *call, MpiComm *comm, MpiMessage *message)
{
    if (!message)
        return NO_PROC_MESSAGE;
    mpi_transfer_claim(call, message);
    MpiMatched *matched = g_new(MpiMatched, 1);
    *matched = (MpiMatched){message, comm};
    comm->refs++;
    return mpi_handle_register(call, MPI_KIND_MESSAGE, matched);
}

/* Stores the handle of the found message in argument `arg`, and the status in the next one. */
static MpiStep store_found(MpiCall *call, MpiComm *comm, MpiMessage *message, const MpiStatus *status, unsigned arg)
{
    mpi_store_handle(call, call->args[arg], claim(call, comm, message));
    mpi_status_write(call, call->args[arg + 1], status, false);
    return MPI_STEP_DONE;
}

/* Takes the message that the rank probes for, or waits for it and goes on at `again`. `flag`: the call has a flag
 * argument before the handle. */
static MpiStep claim_or_block(MpiCall *call, bool flag, MpiHandler again)
{
    enum { COMM = 2, FLAG };
    MpiComm *comm;
    MpiMessage *message;
    MpiStatus status;
    MpiStep step;
    if (!mpi_probe_find(call, call->rank->probe_key, &message, &status))
        return mpi_probe_block(call, again);
    if (!mpi_check_comm(call, COMM, &comm, &step))
        return step;
    mpi_tell_probed(call->world, call, message, true);
    if (flag)
        mpi_store_int(call, call->args[FLAG], true);
    return store_found(call, comm, message, &status, FLAG + flag);
}

static MpiStep mprobe_or_block(MpiCall *call)
{
    return claim_or_block(call, false, mprobe_or_block);
}

static MpiStep improbe_or_block(MpiCall *call)
{
    return claim_or_block(call, true, improbe_or_block);
}

MpiStep mpi_do_Mprobe(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_result(call, 3, sizeof(MpiHandle), &step) || !check_status(call, 4, &step) ||
        !mpi_probe_parse(call, &comm, &call->rank->probe_key, &step))
        return step;
    mpi_probe_choose(call, comm, false);
    return mprobe_or_block(call);
}

MpiStep mpi_do_Improbe(MpiCall *call)
{
    enum { FLAG = 3, MESSAGE, STATUS };
    MpiComm *comm;
    MpiKey key;
    MpiMessage *message;
    MpiStatus status;
    MpiStep step;
    if (!mpi_check_result(call, FLAG, sizeof(int32_t), &step) ||
        !mpi_check_result(call, MESSAGE, sizeof(MpiHandle), &step) || !check_status(call, STATUS, &step) ||
        !mpi_probe_parse(call, &comm, &key, &step))
        return step;
    if (mpi_probe_polled(call, comm, key, improbe_or_block, &step))
        return step;
    bool found = mpi_probe_find(call, key, &message, &status);
    if (!found && mpi_probe_is_hopeless(call, key, &step))
        return step;
    if (key.source != MPI_PROC_NULL_)
        mpi_tell_probed(call->world, call, message, true);
    mpi_store_int(call, call->args[FLAG], found);
    if (!found) {
        mpi_call_poll_failed(call);
        return MPI_STEP_DONE;
    }
    return store_found(call, comm, message, &status, MESSAGE);
}

/* -- receiving --------------------------------------------------------------------------------- */

static bool check_message(MpiCall *call, MpiHandle *handle, MpiMatched **matched, MpiStep *step)
{
    if (!mpi_check_result(call, 3, sizeof *handle, step))
        return false;
    memcpy(handle, vm_rank_read(call->process, call->args[3], sizeof *handle), sizeof *handle);
    *matched = mpi_handle_lookup(call->rank, MPI_KIND_MESSAGE, *handle);
    if (*matched || *handle == NO_PROC_MESSAGE)
        return true;
    *step =
        mpi_call_error(call, NULL, MPI_ERR_REQUEST, "%s (argument 4)",
                       *handle == NULL_MESSAGE ? "the message is MPI_MESSAGE_NULL; a probe has not found one, or it "
                                                 "has been received already"
                                               : "this is not a message; it has been received or was never found");
    return false;
}

/* Starts the receive that arguments 1 to 4 describe; the handle becomes MPI_MESSAGE_NULL. Returns NULL on an error,
 * which is in *step. */
static MpiRequest *start(MpiCall *call, MpiStep *step)
{
    MpiHandle handle;
    MpiMatched *matched;
    MpiBuffer buffer;
    if (!check_message(call, &handle, &matched, step))
        return NULL;
    MpiComm *comm = matched ? matched->comm : mpi_rank_world_comm(call->rank);
    if (!mpi_check_receive(call, comm, 0, &buffer, step))
        return NULL;
    MpiMessage *message = matched ? matched->message : NULL;
    MpiRequest *request = mpi_request_new(call, MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD, &buffer, comm,
                                          message ? message->item.key.source : MPI_PROC_NULL_,
                                          message ? message->item.key.tag : MPI_ANY_TAG_, false);
    mpi_store_handle(call, call->args[3], NULL_MESSAGE);
    if (!message) {
        mpi_request_start(call, request);
        return request;
    }
    mpi_handle_unregister(call->rank, handle);
    mpi_matched_free(matched);
    mpi_request_start_claimed(call, request, message);
    return request;
}

static MpiStep mrecv_done(MpiCall *call)
{
    MpiRequest *request = call->state;
    mpi_status_write(call, call->args[4], &request->status, false);
    return mpi_call_request_error(call, request);
}

static void release_state(void *state)
{
    mpi_request_release(state);
}

MpiStep mpi_do_Mrecv(MpiCall *call)
{
    MpiStep step;
    MpiRequest *request = check_status(call, 4, &step) ? start(call, &step) : NULL;
    if (!request)
        return step;
    call->state = request;
    call->state_free = release_state;
    return mpi_call_wait(call, &request, 1, mrecv_done);
}

MpiStep mpi_do_Imrecv(MpiCall *call)
{
    MpiStep step;
    MpiRequest *request = mpi_check_result(call, 4, sizeof(MpiHandle), &step) ? start(call, &step) : NULL;
    return request ? mpi_request_publish(call, request, call->args[4]) : step;
}
