/* hints.c - the hints of communicators (MPI-4.1 section 7.4.4).
 *
 * Those that mean something are promises, and a promise that nobody makes is `false`. Other keys and values are
 * ignored, so they do not come back from MPI_Comm_get_info. Orrery needs none of the promises; --check=hints holds
 * programs to those about wildcards (check_hints.c).
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"

#include <string.h>

static const char *const promises[] = {
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
};

void mpi_comm_take_hints(MpiComm *comm, MpiInfo *hints)
{
    for (size_t i = 0; hints && i < G_N_ELEMENTS(promises); i++) {
        const char *value = mpi_info_get(hints, promises[i]);
        if (g_strcmp0(value, "true") != 0 && g_strcmp0(value, "false") != 0) {
            continue;
        }
        if (!comm->hints) {
            comm->hints = mpi_info_new();
        }
        mpi_info_set(comm->hints, promises[i], value);
    }
    mpi_info_free(hints);
}

/* Adds the hints to those of the communicator. The call is collective, but no member needs to wait for another. */
MpiStep mpi_do_Comm_set_info(MpiCall *call)
{
    MpiComm *comm;
    MpiInfo *hints;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_info_hints(call, comm, 1, &hints, &step)) {
        return step;
    }
    mpi_comm_take_hints(comm, hints);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_get_info(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step)) {
        return step;
    }
    MpiInfo *info = mpi_info_new();
    for (size_t i = 0; i < G_N_ELEMENTS(promises); i++) {
        const char *value = comm->hints ? mpi_info_get(comm->hints, promises[i]) : NULL;
        mpi_info_set(info, promises[i], value ? value : "false");
    }
    return mpi_info_give(call, 1, info);
}
