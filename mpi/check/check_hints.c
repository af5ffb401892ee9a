/* check_hints.c - checks promises that a program makes with hints of a communicator (MPI-4.0 section 7.4.4).
 *
 * After mpi_assert_no_any_source or mpi_assert_no_any_tag a library may match in ways that wildcards break. Orrery does
 * not, so a program that breaks its promise would run well here, but not elsewhere.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/world.h"

#include <string.h>

static bool keeps_promise(MpiWorld *world, MpiCall *call, const MpiComm *comm, unsigned arg, const char *hint,
                          const char *wildcard, MpiStep *step)
{
    (void)world;
    const char *value = comm->hints ? mpi_info_get(comm->hints, hint) : NULL;
    if (!value || strcmp(value, "true") != 0) {
        return true;
    }
    *step = mpi_finding_stop(call, MPI_CHECK_HINTS,
                             "argument %u is %s, but the communicator was given the hint %s = true; name what is to be "
                             "received, or leave out the hint",
                             arg + 1, wildcard, hint);
    return false;
}

static void begin(MpiWorld *world)
{
    if (mpi_check_is_on(world, MPI_CHECK_HINTS))
        mpi_hooks_add(world, &(MpiHooks){.wildcard = keeps_promise});
}

const MpiPart mpi_part_hints = {.begin = begin};
