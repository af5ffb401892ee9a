/* status.c - what MPI_Status holds (MPI-3.1 sections 3.2.5, 3.8.4, 4.1.11), and small results in the program's memory.
 */
#include "mpi/engine.h"

#include <string.h>

/* MPI_ERROR stays as it is in calls that complete one operation (section 3.2.5). */
bool mpi_status_write(MpiCall *call, uint64_t address, const MpiStatus *status, bool set_error)
{
    if (address == MPI_STATUS_IGNORE_)
        return true;
    MpiStatus *to = vm_rank_write(call->process, address, sizeof *to);
    if (!to)
        return false;
    MpiStatus value = *status;
    if (!set_error)
        memcpy(&value.error, (const char *)to + offsetof(MpiStatus, error), sizeof value.error);
    memcpy(to, &value, sizeof value);
    return true;
}

bool mpi_store_handle(MpiCall *call, uint64_t address, MpiHandle handle)
{
    void *to = vm_rank_write(call->process, address, sizeof handle);
    if (to)
        memcpy(to, &handle, sizeof handle);
    return to != NULL;
}

bool mpi_store_int(MpiCall *call, uint64_t address, int value)
{
    int32_t stored = value;
    void *to = vm_rank_write(call->process, address, sizeof stored);
    if (to)
        memcpy(to, &stored, sizeof stored);
    return to != NULL;
}

/* The status at argument 0; its memory is checked. */
static bool read_status(MpiCall *call, MpiStatus *status, MpiStep *step)
{
    const void *host;
    if (!mpi_check_input(call, NULL, 0, sizeof *status, &host, step))
        return false;
    memcpy(status, host, sizeof *status);
    return true;
}

MpiStep mpi_do_Get_count(MpiCall *call)
{
    MpiType *type;
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_type(call, NULL, 1, &type, &step) ||
        !mpi_check_result(call, 2, 4, &step))
        return step;
    uint64_t count = type->size ? status.bytes / type->size : 0;
    bool whole = type->size ? status.bytes % type->size == 0 : status.bytes == 0;
    mpi_store_int(call, call->args[2], whole && count <= INT32_MAX ? (int)count : MPI_UNDEFINED_);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Get_elements(MpiCall *call)
{
    MpiType *type;
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_type(call, NULL, 1, &type, &step) ||
        !mpi_check_result(call, 2, 4, &step))
        return step;
    int64_t elements = mpi_type_elements(type, status.bytes);
    mpi_store_int(call, call->args[2], elements <= INT32_MAX ? (int)elements : MPI_UNDEFINED_);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Test_cancelled(MpiCall *call)
{
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], status.cancelled != 0);
    return MPI_STEP_DONE;
}
