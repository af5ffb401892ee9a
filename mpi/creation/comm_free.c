/* comm_free.c - frees communicators: MPI_Comm_free, and the last step of MPI_Comm_disconnect (MPI-3.1 section
 * 6.4.3). */
#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/creation/making.h"

#include <string.h>

static MpiStep free_finish(MpiCall *call)
{
    MpiComm *comm = call->state;
    if (call->attribute.error != MPI_SUCCESS)
        return mpi_call_error(call, comm, call->attribute.error,
                              "an attribute's delete function returned error %d, so the communicator stays",
                              call->attribute.error);
    if (comm->freed)
        return mpi_call_error(call, NULL, MPI_ERR_COMM,
                              "an attribute's delete function has freed the communicator already");
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_COMM, 0));
    comm->freed = true;
    mpi_handle_unregister(call->rank, comm->handle);
    if (mpi_world_has_grown(call->world))
        call->world->upper->comm_left(call, comm);
    mpi_comm_unref(comm); /* freed when pending operations are complete */
    return MPI_STEP_DONE;
}

static void unref_state(void *state)
{
    mpi_comm_unref(state);
}

bool mpi_comm_free_parse(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    MpiHandle handle;
    if (!mpi_check_result(call, 0, 8, step))
        return false;
    memcpy(&handle, vm_rank_read(call->process, call->args[0], 8), 8);
    *comm = mpi_handle_lookup(call->rank, MPI_KIND_COMM, handle);
    if (*comm && (uint32_t)handle >= MPI_FIRST_USER_INDEX)
        return true;
    if (*comm)
        *step = mpi_call_error(call, *comm, MPI_ERR_COMM, "%s cannot be freed", (*comm)->name);
    else
        *step = mpi_call_error(call, NULL, MPI_ERR_COMM, "the variable does not hold a communicator");
    return false;
}

MpiStep mpi_comm_free_begin(MpiCall *call, MpiComm *comm)
{
    if (!call->state) {
        call->state = comm;
        call->state_free = unref_state;
        comm->refs++;
    }
    return mpi_attributes_delete(call, comm, free_finish);
}

MpiStep mpi_do_Comm_free(MpiCall *call)
{
    MpiStep step;
    MpiComm *comm;
    return mpi_comm_free_parse(call, &comm, &step) ? mpi_comm_free_begin(call, comm) : step;
}
