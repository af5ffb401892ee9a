/* checks.c - the table of checks. */
#include "mpi/core/call.h"
#include "mpi/mpi_world.h"

static const MpiCheckInfo infos[] = {
#define MPI_CHECK(identifier, name, when, sort, help) {name, help, MPI_WHEN_##when, MPI_FINDING_##sort},
#include "mpi/checks.def"
};

const MpiCheckInfo *mpi_check_row(MpiCheck check)
{
    g_assert((unsigned)check < MPI_CHECKS);
    return &infos[check];
}

uint32_t mpi_checks_all(void)
{
    return MPI_CHECK_BIT(MPI_CHECKS) - 1;
}

uint32_t mpi_checks_default(void)
{
    uint32_t checks = 0;
    for (unsigned check = 0; check < MPI_CHECKS; check++)
        if (infos[check].when != MPI_WHEN_ASKED)
            checks |= MPI_CHECK_BIT(check);
    return checks;
}
