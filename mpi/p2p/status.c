/* status.c - the functions for MPI_Status (MPI-3.1 sections 3.2.5, 3.8.4, 4.1.11). */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/stores.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

/* Calls that complete one operation leave MPI_ERROR unchanged (section 3.2.5). */
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

/* Reads the status at the address in argument 0 and checks its memory. */
static bool read_status(MpiCall *call, MpiStatus *status, MpiStep *step)
{
    const void *host;
    if (!mpi_check_input(call, NULL, 0, sizeof *status, &host, step))
        return false;
    memcpy(status, host, sizeof *status);
    return true;
}

/* Stores a count at the address in argument 3, as an int or as an MPI_Count. A count that does not fit becomes
 * MPI_UNDEFINED. */
static MpiStep store_count(MpiCall *call, int64_t count, bool wide)
{
    MpiStep step;
    if (!mpi_check_result(call, 2, wide ? 8 : 4, &step))
        return step;
    if (wide)
        mpi_store_handle(call, call->args[2], (uint64_t)count);
    else
        mpi_store_int(call, call->args[2], count <= INT32_MAX ? (int)count : MPI_UNDEFINED_);
    return MPI_STEP_DONE;
}

static MpiStep get_count(MpiCall *call, bool wide)
{
    MpiType *type;
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_type(call, NULL, 1, &type, &step))
        return step;
    uint64_t count = type->size ? status.bytes / type->size : 0;
    bool whole = type->size ? status.bytes % type->size == 0 : status.bytes == 0;
    return store_count(call, whole && count <= INT64_MAX ? (int64_t)count : MPI_UNDEFINED_, wide);
}

MPI_HANDLER(Get_count, get_count(call, false))
MPI_HANDLER(Get_count_c, get_count(call, true))

static MpiStep get_elements(MpiCall *call, bool wide)
{
    MpiType *type;
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_type(call, NULL, 1, &type, &step))
        return step;
    return store_count(call, mpi_type_elements(type, status.bytes), wide);
}

MPI_HANDLER(Get_elements, get_elements(call, false))
MPI_HANDLER(Get_elements_x, get_elements(call, true))
MPI_HANDLER(Get_elements_c, get_elements(call, true))

MpiStep mpi_do_Test_cancelled(MpiCall *call)
{
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], status.cancelled != 0);
    return MPI_STEP_DONE;
}

/* -- fields by function (MPI-4.1 section 3.2.5) ------------------------------------------------ */

static MpiStep get_field(MpiCall *call, size_t offset)
{
    MpiStatus status;
    int32_t value;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_result(call, 1, sizeof value, &step))
        return step;
    memcpy(&value, (const char *)&status + offset, sizeof value);
    mpi_store_int(call, call->args[1], value);
    return MPI_STEP_DONE;
}

static MpiStep set_field(MpiCall *call, size_t offset)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, sizeof(MpiStatus), &step))
        return step;
    mpi_store_int(call, call->args[0] + offset, mpi_int(call, 1));
    return MPI_STEP_DONE;
}

#define FIELD(name)                                                                                                    \
    MpiStep mpi_do_Status_get_##name(MpiCall *call)                                                                    \
    {                                                                                                                  \
        return get_field(call, offsetof(MpiStatus, name));                                                             \
    }                                                                                                                  \
    MpiStep mpi_do_Status_set_##name(MpiCall *call)                                                                    \
    {                                                                                                                  \
        return set_field(call, offsetof(MpiStatus, name));                                                             \
    }

FIELD(source)
FIELD(tag)
FIELD(error)

/* -- setting, for generalized requests (MPI-3.1 section 12.3) ---------------------------------- */

static bool write_status(MpiCall *call, const MpiStatus *status, MpiStep *step)
{
    return mpi_check_result(call, 0, sizeof *status, step) && mpi_status_write(call, call->args[0], status, true);
}

static MpiStep set_elements(MpiCall *call, bool wide)
{
    int64_t elements = wide ? (int64_t)call->args[2] : mpi_int(call, 2);
    MpiType *type;
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step) || !mpi_check_type(call, NULL, 1, &type, &step))
        return step;
    if (elements < 0)
        return mpi_call_error(call, NULL, MPI_ERR_COUNT,
                              "the number of elements %" G_GINT64_FORMAT " is negative (argument 3)", elements);
    status.bytes = mpi_type_element_bytes(type, (uint64_t)elements);
    return write_status(call, &status, &step) ? MPI_STEP_DONE : step;
}

MPI_HANDLER(Status_set_elements, set_elements(call, false))
MPI_HANDLER(Status_set_elements_x, set_elements(call, true))
MPI_HANDLER(Status_set_elements_c, set_elements(call, true))

MpiStep mpi_do_Status_set_cancelled(MpiCall *call)
{
    MpiStatus status;
    MpiStep step;
    if (!read_status(call, &status, &step))
        return step;
    status.cancelled = mpi_int(call, 1) != 0;
    return write_status(call, &status, &step) ? MPI_STEP_DONE : step;
}
