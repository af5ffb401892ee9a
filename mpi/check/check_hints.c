/* check_hints.c - promises that a program makes by the hints of a communicator (MPI-4.0 section 7.4.4).
 *
 * A library may rely on mpi_assert_no_any_source and mpi_assert_no_any_tag and match in ways that wildcards break. This
 * one does not, so that a program which breaks its word runs well here, and not elsewhere.
 */
#include "mpi/comm/info.h"
#include "mpi/core/engine.h"
#include "mpi/watch/findings.h"

#include <string.h>

bool mpi_check_promise(MpiCall *call, const MpiComm *comm, unsigned arg, const char *hint, const char *wildcard,
                       MpiStep *step)
{
    if (!comm->hints || !mpi_check_is_on(call->world, MPI_CHECK_HINTS)) {
        return true;
    }
    const char *value = mpi_info_get(comm->hints, hint);
    if (!value || strcmp(value, "true") != 0) {
        return true;
    }
    *step = mpi_call_wrong(call, MPI_CHECK_HINTS,
                           "argument %u is %s, but the communicator was given the hint %s = true; name what is to be "
                           "received, or leave out the hint",
                           arg + 1, wildcard, hint);
    return false;
}
